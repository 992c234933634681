package unicode;

public class 漢字 {

    int 数; String 名前 = "名前";

    漢字(int 数) {
        this.数 = 数;
    }

    /* 説明 */ void 書く() {} void 読む() {}

    interface Ελληνικά { void кириллица(); }

    record עברית(int العربية) {}
}
