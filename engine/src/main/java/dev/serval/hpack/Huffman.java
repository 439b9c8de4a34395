package dev.serval.hpack;

/// The Huffman code of RFC 7541 §5.2. The code is canonical, so the lengths of its codes, which
/// appendix B lists, tell the codes.
///
/// The decoder is a state machine over half bytes. A state is an inner node of the code's tree. No
/// code has fewer than five bits, so a half byte ends at most one. Stateless.
final class Huffman {
    /// The lengths in bits for the bytes 0 to 255 and the end of string, as digits of base 36.
    private static final String LENGTHS =
            "dnsssssssoussuss"
                    + "ssssssusssssssss"
                    + "6aacd68baa8b8666"
                    + "55566666667"
                    + "8f6ca"
                    + "d677777777777777"
                    + "777777778"
                    + "78djde6"
                    + "f56565666577666"
                    + "5"
                    + "67655677777"
                    + "fbeds"
                    + "kmkkmmmnmnnnnnon"
                    + "oomnonnnnlmnmnno"
                    + "mlkmmnnlnmmolmnn"
                    + "llmlnmnnkmmmnmmn"
                    + "qqkjmnmpqqqrrqop"
                    + "jlqrrqrollqqsrrr"
                    + "kokl"
                    + "mllnmmppooqn"
                    + "qrqqrrrrrsrrrrrq"
                    + "u";

    private static final int END = 256;
    private static final int LEAST_BITS = 5;
    private static final int MOST_BITS = 30;

    private static final int[] CODES = new int[END + 1];
    private static final byte[] BITS = new byte[END + 1];

    private static final int STATES = END; // inner nodes of a tree with 257 leaves
    private static final int NEXT = 0xff;
    private static final int SYMBOL_SHIFT = 8;
    private static final int EMITS = 1 << 16;
    private static final int FAILS = 1 << 17;
    private static final int[] STEPS = new int[STATES << 4];

    /// Whether a string may end in the state: after at most seven bits of the end of string.
    private static final boolean[] ENDS = new boolean[STATES];

    static {
        fillCodes();
        fillSteps(tree());
    }

    private Huffman() {}

    /// Returns the number of bytes that the code of `from[at, end)` has.
    static int length(byte[] from, int at, int end) {
        long bits = 0;
        for (int i = at; i < end; i++) {
            bits += BITS[from[i] & 0xff];
        }
        return (int) ((bits + 7) >>> 3);
    }

    /// Writes the code of `from[at, end)` to `into`, which has the room that [#length] tells.
    ///
    /// @return index after the written bytes
    static int encode(byte[] from, int at, int end, byte[] into, int intoAt) {
        long pending = 0;
        int bits = 0;
        int next = intoAt;
        for (int i = at; i < end; i++) {
            int symbol = from[i] & 0xff;
            pending = (pending << BITS[symbol]) | CODES[symbol];
            bits += BITS[symbol];
            while (bits >= 8) {
                bits -= 8;
                into[next++] = (byte) (pending >>> bits);
            }
        }
        if (bits > 0) { // padded with the first bits of the end of string, which are ones
            into[next++] = (byte) ((pending << (8 - bits)) | (0xff >>> bits));
        }
        return next;
    }

    /// Returns the largest number of bytes that `length` bytes of code can stand for.
    static int decodedMax(int length) {
        return (int) (length * 8L / LEAST_BITS);
    }

    /// Decodes `from[at, end)` to the start of `into`, which has the room that [#decodedMax] tells.
    ///
    /// @return number of bytes, or -1 if this is no code: it has the end of string, or its padding is
    ///     longer than seven bits or has a zero
    static int decode(byte[] from, int at, int end, byte[] into) {
        int state = 0;
        int length = 0;
        int failed = 0;
        for (int i = at; i < end; i++) {
            int step = STEPS[(state << 4) | (from[i] >> 4 & 0xf)];
            failed |= step;
            if ((step & EMITS) != 0) {
                into[length++] = (byte) (step >>> SYMBOL_SHIFT);
            }
            step = STEPS[((step & NEXT) << 4) | (from[i] & 0xf)];
            failed |= step;
            if ((step & EMITS) != 0) {
                into[length++] = (byte) (step >>> SYMBOL_SHIFT);
            }
            state = step & NEXT;
        }
        return (failed & FAILS) == 0 && ENDS[state] ? length : -1;
    }

    private static void fillCodes() {
        int code = 0;
        for (int bits = LEAST_BITS; bits <= MOST_BITS; bits++) {
            for (int symbol = 0; symbol <= END; symbol++) {
                if (Character.digit(LENGTHS.charAt(symbol), 36) == bits) {
                    CODES[symbol] = code++;
                    BITS[symbol] = (byte) bits;
                }
            }
            code <<= 1;
        }
    }

    /// Returns the children of each inner node: another inner node, or `-1 - symbol` for a leaf. The
    /// root is 0, which is no child.
    private static int[][] tree() {
        int[][] children = new int[STATES][2];
        int nodes = 1;
        for (int symbol = 0; symbol <= END; symbol++) {
            int node = 0;
            for (int bit = BITS[symbol] - 1; bit > 0; bit--) {
                int side = CODES[symbol] >>> bit & 1;
                if (children[node][side] == 0) {
                    children[node][side] = nodes++;
                }
                node = children[node][side];
            }
            children[node][CODES[symbol] & 1] = -1 - symbol;
        }
        return children;
    }

    private static void fillSteps(int[][] children) {
        for (int state = 0; state < STATES; state++) {
            for (int half = 0; half < 16; half++) {
                STEPS[(state << 4) | half] = step(children, state, half);
            }
        }
        int node = 0;
        for (int bits = 0; bits < 8; bits++) {
            ENDS[node] = true;
            node = children[node][1];
        }
    }

    private static int step(int[][] children, int state, int half) {
        int node = state;
        int result = 0;
        for (int bit = 3; bit >= 0; bit--) {
            int child = children[node][half >>> bit & 1];
            if (child == -1 - END) {
                return FAILS;
            }
            if (child < 0) {
                result |= EMITS | (-1 - child) << SYMBOL_SHIFT;
                node = 0;
            } else {
                node = child;
            }
        }
        return result | node;
    }
}
