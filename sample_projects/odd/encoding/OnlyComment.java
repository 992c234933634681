// class NotHere {}
/* interface NorHere { void f(); } */
/** Javadoc of nothing. */
