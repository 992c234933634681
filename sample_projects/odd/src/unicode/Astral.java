package unicode;

/* 😀😀 */ class Astral { // 😀

    /* 😀 */ int after; /* 👩‍👩‍👧 */ int afterFamily;

    String text = "😀𝒳", same = "𠀋"; int afterText;

    int 𝒳, 𝒴𝒵; class 𠀋 { int x; }

    /** 𝒥avadoc 😀. */ void method(String 𝓅, /* 😀 */ int q) {} void next() {}

    @SuppressWarnings("😀") int annotated; char[] pair = {'\uD83D', '\uDE00'}; int last;
}
