package broken;

int loose = 1;

void method() {
}

class Between {
    int n;
}

static {
}
