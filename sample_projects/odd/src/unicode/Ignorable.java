package unicode;

/** Identifiers with characters that have no width: U+200C, U+00AD and U+FEFF. */
class Ignor‌able {

    int zero‌width;

    int a­b; // soft hyphen

    int ‿undertie, €uro, $dollar, _low;

    void f﻿eff() {
    }
}
