package modern;

public sealed interface Shape permits Shape.Disc, Shape.Box, Shape.Free, FarShape {

    double area();

    record Disc(double radius) implements Shape {
        public double area() {
            return Math.PI * radius * radius;
        }
    }

    final class Box implements Shape {
        int width, height;

        public double area() {
            return width * height;
        }
    }

    non-sealed interface Free extends Shape {
    }
}

/** Permitted from the other end of the file. */
enum FarShape implements Shape {
    DOT, LINE;

    public double area() {
        return 0;
    }
}
