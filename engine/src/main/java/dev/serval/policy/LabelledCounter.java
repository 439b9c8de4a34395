package dev.serval.policy;

/// What a server counts by a label: one counter for each value that the label takes. The name in
/// exports is the constant in lower case. Values are bounded, since each takes memory for good: what
/// is counted for values past the bound is counted for [#OTHER] together.
public enum LabelledCounter {
    /// Requests by the path prefix of the mount that they entered.
    REQUESTS_BY_ROUTE("route", 256),
    /// What was refused before or instead of a handler's answer, by the reason: a [Counter] of
    /// refusals in lower case, or what broke the protocol.
    REFUSALS("reason", 128);

    /// The value that counts for all values past the bound.
    public static final String OTHER = "other";

    private final String label;
    private final int valuesMax;

    LabelledCounter(String label, int valuesMax) {
        this.label = label;
        this.valuesMax = valuesMax;
    }

    /// The label's key in exports.
    public String label() {
        return label;
    }

    /// How many values are told apart, [#OTHER] not counted.
    public int valuesMax() {
        return valuesMax;
    }
}
