package dev.serval.hpack;

/// The memory in which decoders spell out strings. It holds nothing between two calls of a decoder, so
/// all decoders of a loop may share one. Owned by the loop.
public final class HpackScratch {
    private byte[] name = new byte[64];
    private byte[] value = new byte[256];

    /// Creates it.
    public HpackScratch() {}

    /// Returns an array for a name, with at least that length.
    byte[] name(int length) {
        if (name.length < length) {
            name = new byte[Math.max(length, 2 * name.length)];
        }
        return name;
    }

    /// Returns an array for a value, with at least that length.
    byte[] value(int length) {
        if (value.length < length) {
            value = new byte[Math.max(length, 2 * value.length)];
        }
        return value;
    }
}
