class Utf8Bom { int x; }

class SecondUtf8Bom { String é; }
