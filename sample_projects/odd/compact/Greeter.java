/** Says hello to a list of people; a compact source file with fields, methods and nested types. */
import static java.util.stream.Collectors.joining;

final List<Person> people = new ArrayList<>();

static int greeted, missed = 0;

record Person(String name, int age) {
    Person {
        if (age < 0) {
            throw new IllegalArgumentException();
        }
    }

    boolean isAdult() {
        return age >= 18;
    }
}

enum Tone {
    POLITE {
        String word() {
            return "Good day";
        }
    },
    SHORT;

    String word() {
        return "Hi";
    }
}

/** Chooses the words. */
String greet(Person person) {
    greeted++;
    return (person.isAdult() ? Tone.POLITE : Tone.SHORT).word() + " " + person.name();
}

String greet(List<Person> all) {
    return all.stream().map(this::greet).collect(joining(", "));
}

void main(String[] args) {
    for (String name : args) {
        people.add(new Person(name, name.length()));
    }
    IO.println(greet(people));
}

class Unused {
    interface Inner { void f(); }
}
