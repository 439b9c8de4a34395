package dev.serval.bench.report;

/// How a figure stands to its bound.
public enum Verdict {
    /// Within the bound.
    PASS("pass"),
    /// Past the gate.
    FAIL("fail"),
    /// Past the aim, which is a wish and fails nothing.
    MISS("miss"),
    /// Nothing to compare with.
    NONE("–");

    private final String word;

    Verdict(String word) {
        this.word = word;
    }

    /// As tables show it.
    public String word() {
        return word;
    }
}
