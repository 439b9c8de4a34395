package dev.serval.bench.report;

import java.util.List;

/// The result of the comparison of a figure with its limit.
public enum Verdict {
    /// The figure is within its limit.
    PASS,
    /// The figure is beyond the gate.
    FAIL,
    /// The figure is beyond the aim, which fails nothing.
    MISS,
    /// There was nothing to compare.
    NONE;

    /// Returns FAIL if there is one, otherwise PASS if there is one, and otherwise NONE.
    static Verdict worst(List<Verdict> all) {
        return all.contains(FAIL) ? FAIL : all.contains(PASS) ? PASS : NONE;
    }

    /// Returns the word for tables.
    public String word() {
        return this == NONE ? "–" : Words.of(this);
    }
}
