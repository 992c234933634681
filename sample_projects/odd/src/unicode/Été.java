package unicode;

public class Été {

    int naïveté;
    String œuvre = "cœur", Straße;

    void größer(String ñandú) {
    }

    /* é combining: */ int café;

    enum Saison { ÉTÉ, HIVER }
}
