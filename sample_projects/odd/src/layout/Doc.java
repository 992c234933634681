package layout;
class Doc {
    /**
     * Says hello.
     */
    @Deprecated
    @SuppressWarnings("unused")
    public void
    hello() {
    }
}
