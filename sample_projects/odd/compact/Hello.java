void main() {
    IO.println("Hello");
}
