package dev.serval.hpack;

import java.util.Arrays;
import java.util.HexFormat;

/// Reads header blocks that arrive in pieces, as frames bring them. Shared by the tests of the
/// package.
final class Pieces {
    static final int LIST_MAX = 1000;

    private final HpackDecoder decoder = new HpackDecoder(new HpackScratch());
    private final int listMax;

    Pieces() {
        this(LIST_MAX);
    }

    Pieces(int listMax) {
        this.listMax = listMax;
    }

    HpackDecoder decoder() {
        return decoder;
    }

    /// Returns the bytes of a text in hexadecimal, in which spaces do not count.
    static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    /// Reads a block.
    ///
    /// @param ends the end of each piece; the last is that of the block
    /// @return the fields, then what is wrong in capitals, if anything
    String read(byte[] block, int... ends) {
        Lines lines = new Lines();
        decoder.begin(listMax);
        byte[] left = {};
        int from = 0;
        for (int end : ends) {
            byte[] piece = Arrays.copyOf(left, left.length + end - from);
            System.arraycopy(block, from, piece, left.length, end - from);
            int used = decoder.decode(piece, 0, piece.length, end == block.length, lines);
            if (used == HpackDecoder.ERROR) {
                return lines + String.valueOf(decoder.error());
            }
            left = Arrays.copyOfRange(piece, used, piece.length);
            from = end;
        }
        return lines + (decoder.tooLarge() ? "TOO_LARGE" : "");
    }

    /// Reads a block byte by byte.
    String readSlowly(byte[] block) {
        int[] ends = new int[block.length];
        Arrays.setAll(ends, i -> i + 1);
        return read(block, ends);
    }
}
