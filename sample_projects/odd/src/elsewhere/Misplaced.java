package declared.elsewhere;

/** Lies in the folder elsewhere, says declared.elsewhere. */
public class Misplaced {
    int n;
}
