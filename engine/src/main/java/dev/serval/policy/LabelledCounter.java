package dev.serval.policy;

/// The events that a server counts by a label, with one counter for each value of the label. The
/// name in exports is the constant in lower case. The number of values is bounded, because the
/// memory of a value is never freed. Values past the bound are counted together as [#OTHER].
public enum LabelledCounter {
    /// Requests by the mount that they entered: its path prefix, after its host if it belongs to one.
    REQUESTS_BY_ROUTE("mount", 256),
    /// Refusals before or instead of a handler's answer, by the reason: a refusal [Counter] in
    /// lower case, or the protocol violation.
    REFUSALS("reason", 128),
    /// TLS handshakes that failed, by the reason.
    TLS_FAILURES("reason", 16);

    /// The value under which all values past the bound are counted.
    public static final String OTHER = "other";

    private final String label;
    private final int valuesMax;

    LabelledCounter(String label, int valuesMax) {
        this.label = label;
        this.valuesMax = valuesMax;
    }

    /// Returns the label's key in exports.
    public String label() {
        return label;
    }

    /// Returns the maximum number of values, not counting [#OTHER].
    public int valuesMax() {
        return valuesMax;
    }
}
