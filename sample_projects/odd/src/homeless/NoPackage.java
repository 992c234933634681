/** Lies in a package folder, declares no package. */
public class NoPackage {
    int n;
}
