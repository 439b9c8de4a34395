package dev.serval.bench.war;

/// A line of the table that [RowsServlet] shows. A class with getters, because expressions of every
/// level of EL read these. Immutable.
public final class Row {
    private final int number;
    private final int count;

    Row(int number) {
        this.number = number;
        this.count = number % 10 + 1;
    }

    /// Returns the number of the line, from 1.
    public int getNumber() {
        return number;
    }

    /// Returns the name of the article.
    public String getName() {
        return "article " + number;
    }

    /// Returns the price of one piece.
    public int getPrice() {
        return number * 3;
    }

    /// Returns how many pieces there are.
    public int getCount() {
        return count;
    }
}
