"""Answer where a Java type is declared and what a file holds, from the index or live."""
