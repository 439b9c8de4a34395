package dev.serval.http;

/// Identifies a codec that stores wire forms in response heads ([ResponseHead#wireForm]). Each codec
/// has one constant; two formats are the same only if they are the same object.
public final class WireFormat {
    private final String name;

    /// Creates a format.
    ///
    /// @param name of the protocol, for people
    public WireFormat(String name) {
        this.name = name;
    }

    @Override
    public String toString() {
        return name;
    }
}
