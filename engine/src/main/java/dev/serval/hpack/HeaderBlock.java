package dev.serval.hpack;

import java.util.Arrays;

/// The bytes of a header block that an encoder writes. The array grows as needed, and keeps its size
/// for the next block. Owned by the loop or connection whose encoders use it, one after the other.
public final class HeaderBlock {
    private byte[] bytes = new byte[512];
    private int length;

    /// Creates an empty block.
    public HeaderBlock() {}

    /// Removes all bytes.
    public void clear() {
        length = 0;
    }

    /// Returns the array, whose first [#length] bytes are the block. Valid until the next change.
    public byte[] array() {
        return bytes;
    }

    /// Returns the length in bytes.
    public int length() {
        return length;
    }

    /// Appends bytes.
    public void append(byte[] from, int at, int end) {
        int n = end - at;
        makeRoom(n);
        System.arraycopy(from, at, bytes, length, n);
        length += n;
    }

    /// Appends an integer (RFC 7541 §5.1).
    ///
    /// @param first the bits of the first byte before the prefix
    /// @param prefixBits the number of bits of the first byte that belong to the integer
    void integer(int first, int prefixBits, int value) {
        makeRoom(6);
        int most = (1 << prefixBits) - 1;
        if (value < most) {
            bytes[length++] = (byte) (first | value);
            return;
        }
        bytes[length++] = (byte) (first | most);
        int rest = value - most;
        while (rest >= 0x80) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
    }

    /// Appends a string (RFC 7541 §5.2), by the Huffman code if that is shorter.
    void string(byte[] from, int at, int end) {
        int coded = Huffman.length(from, at, end);
        if (coded >= end - at) {
            integer(0, 7, end - at);
            append(from, at, end);
            return;
        }
        integer(0x80, 7, coded);
        makeRoom(coded);
        length = Huffman.encode(from, at, end, bytes, length);
    }

    private void makeRoom(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
        }
    }
}
