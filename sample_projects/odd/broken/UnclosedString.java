package broken;

class UnclosedString {

    String open = "no end;

    int after;

    String block = """
            no end either

    int inside;
}
