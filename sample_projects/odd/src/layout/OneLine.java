class OneLine { int x; OneLine() {} void f() {} class In { int y; enum E { A, B } } } interface Next { int g(); } enum Third { C { } }
