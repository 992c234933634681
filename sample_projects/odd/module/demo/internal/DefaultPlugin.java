package demo.internal;

import demo.api.Plugin;

public class DefaultPlugin implements Plugin {

    // Restricted words are still names here.
    int module, exports, requires, open, with, to, record, sealed, permits, var, yield, when;

    @Override
    public String name() {
        return "default";
    }

    void open(int module) {
    }

    void record() {
    }
}
