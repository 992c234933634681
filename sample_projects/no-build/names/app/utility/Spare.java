package app.utility;

public class Spare {
}
