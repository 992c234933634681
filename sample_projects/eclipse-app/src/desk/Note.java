package desk;

import java.time.LocalDate;

/** A note on the board. */
public class Note {

    private String text;
    private Colour colour = Colour.YELLOW;
    private LocalDate due;

    public Note(String text) {
        this(text, null);
    }

    public Note(String text, LocalDate due) {
        this.text = text;
        this.due = due;
    }

    public String getText() {
        return text;
    }

    public void setText(String text) {
        this.text = text;
    }

    public Colour getColour() {
        return colour;
    }

    public void setColour(Colour colour) {
        this.colour = colour;
    }

    public boolean isDue(LocalDate today) {
        return due != null && !due.isAfter(today);
    }

    /** Colours of paper. */
    public enum Colour {
        YELLOW(0xFFFF99),
        GREEN(0x99FF99);

        final int rgb;

        Colour(int rgb) {
            this.rgb = rgb;
        }
    }
}
