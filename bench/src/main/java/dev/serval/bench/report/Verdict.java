package dev.serval.bench.report;

/// The result of the comparison of a figure with its limit.
public enum Verdict {
    /// The figure is within its limit.
    PASS("pass"),
    /// The figure is beyond the gate.
    FAIL("fail"),
    /// The figure is beyond the aim, which fails nothing.
    MISS("miss"),
    /// There was nothing to compare.
    NONE("–");

    private final String word;

    Verdict(String word) {
        this.word = word;
    }

    /// Returns the word for tables.
    public String word() {
        return word;
    }
}
