package dev.serval.gateway.cgi;

/// The limits of the head of an application's output.
///
/// @param headMaxBytes the most bytes before the content, with the empty line
/// @param fieldsMax the most fields; each repetition of a name counts
public record OutputLimits(int headMaxBytes, int fieldsMax) {
    /// 32 KiB, 100 fields.
    public static final OutputLimits DEFAULT = new OutputLimits(32 << 10, 100);

    /// Checks the values.
    public OutputLimits {
        if (headMaxBytes < 64 || fieldsMax < 1) {
            throw new IllegalArgumentException(
                    "The head of an output needs at least 64 bytes and 1 field, not "
                            + headMaxBytes
                            + " and "
                            + fieldsMax);
        }
    }
}
