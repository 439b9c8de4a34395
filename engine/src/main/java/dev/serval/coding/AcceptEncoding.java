package dev.serval.coding;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads the field Accept-Encoding (RFC 9110 §12.5.3). The result is one number, so that reading it
/// allocates nothing: for each coding, and for `identity`, its weight in thousandths, 0 if it is not
/// acceptable. Stateless.
///
/// - Without the field, and with an empty one, only content without a coding is sent. RFC 9110 would
///   allow any coding without the field, but a client that does not send it may know none.
/// - Content without a coding that no element names has the least weight above 0, so that it is sent
///   only if no coding fits.
/// - An element with a malformed weight counts as absent.
///
/// The values that browsers and usual clients send are recognized by their bytes.
public final class AcceptEncoding {
    /// What a client accepts that sends no such field.
    public static final long ONLY_IDENTITY = 1L << (3 * 10);

    private static final int BITS = 10;
    private static final int MASK = (1 << BITS) - 1;
    private static final int IDENTITY = ContentCoding.ALL.length;
    private static final int ANY = IDENTITY + 1;
    private static final int FULL = 1000; // thousandths

    /// While an element is read, a slot holds its weight plus one, and 0 if none has named it.
    private static final int SLOT_BITS = 11;

    private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;
    private static final byte[] IDENTITY_NAME = bytes("identity");

    /// Values of browsers (over TLS, without it), of command line clients and of libraries.
    private static final byte[][] KNOWN = {
        bytes("gzip, deflate, br, zstd"),
        bytes("gzip, deflate, br"),
        bytes("gzip, deflate"),
        bytes("gzip"),
        bytes("deflate, gzip, br, zstd"),
        bytes("deflate, gzip"),
        bytes("gzip, br"),
        bytes("br, gzip, deflate"),
        bytes("identity"),
    };

    private static final long[] ACCEPTED = new long[KNOWN.length];

    static {
        for (int i = 0; i < KNOWN.length; i++) {
            ACCEPTED[i] = resolved(read(0, KNOWN[i], 0, KNOWN[i].length));
        }
    }

    private AcceptEncoding() {}

    /// Returns what the client accepts, for [#weight] and [#identityWeight].
    public static long of(Fields request) {
        int i = request.indexOf(FieldName.ACCEPT_ENCODING, 0);
        if (i < 0) {
            return ONLY_IDENTITY;
        }
        byte[] buffer = request.buffer();
        int next = request.indexOf(FieldName.ACCEPT_ENCODING, i + 1);
        if (next < 0) {
            int from = request.valueAt(i);
            int to = request.valueEnd(i);
            for (int k = 0; k < KNOWN.length; k++) {
                if (Arrays.equals(buffer, from, to, KNOWN[k], 0, KNOWN[k].length)) {
                    return ACCEPTED[k];
                }
            }
            return resolved(read(0, buffer, from, to));
        }
        long slots = read(0, buffer, request.valueAt(i), request.valueEnd(i));
        while (next >= 0) {
            slots = read(slots, buffer, request.valueAt(next), request.valueEnd(next));
            next = request.indexOf(FieldName.ACCEPT_ENCODING, next + 1);
        }
        return resolved(slots);
    }

    /// Returns what a field with the value `bytes[from, to)` accepts.
    static long of(byte[] bytes, int from, int to) {
        return resolved(read(0, bytes, from, to));
    }

    /// Returns the weight of a coding in thousandths; 0 if it is not acceptable.
    public static int weight(long accepted, ContentCoding coding) {
        return (int) (accepted >>> (coding.index() * BITS)) & MASK;
    }

    /// Returns the weight of content without a coding; 0 if it is not acceptable.
    public static int identityWeight(long accepted) {
        return (int) (accepted >>> (IDENTITY * BITS)) & MASK;
    }

    /// Reads the elements of one value into the slots. Elements end at commas; no element can have a
    /// quoted comma.
    private static long read(long before, byte[] bytes, int from, int to) {
        long slots = before;
        int at = from;
        while (at < to) {
            int end = at;
            while (end < to && bytes[end] != ',') {
                end++;
            }
            slots = element(slots, bytes, at, end);
            at = end + 1;
        }
        return slots;
    }

    private static long element(long slots, byte[] bytes, int from, int to) {
        int at = skipSpace(bytes, from, to);
        int nameEnd = at;
        while (nameEnd < to && bytes[nameEnd] != ';' && !isSpace(bytes[nameEnd])) {
            nameEnd++;
        }
        int slot = slot(bytes, at, nameEnd);
        if (slot < 0) {
            return slots;
        }
        int weight = weight(bytes, skipSpace(bytes, nameEnd, to), to);
        if (weight < 0) {
            return slots;
        }
        int shift = slot * SLOT_BITS;
        return (slots & ~((long) SLOT_MASK << shift)) | ((weight + 1L) << shift);
    }

    private static int slot(byte[] bytes, int from, int to) {
        if (to - from == 1 && bytes[from] == '*') {
            return ANY;
        }
        @Nullable ContentCoding coding = ContentCoding.of(bytes, from, to);
        if (coding != null) {
            return coding.index();
        }
        return ContentCoding.equal(bytes, from, to, IDENTITY_NAME) ? IDENTITY : -1;
    }

    /// Reads `;q=` and its value (§12.4.2) in `bytes[from, to)`, which is all that may follow a name.
    ///
    /// @return thousandths; -1 if it is malformed
    private static int weight(byte[] bytes, int from, int to) {
        if (from == to) {
            return FULL;
        }
        int at = bytes[from] == ';' ? skipSpace(bytes, from + 1, to) : to;
        if (to - at < 3 || (bytes[at] | 0x20) != 'q' || bytes[at + 1] != '=') {
            return -1;
        }
        int first = bytes[at + 2] - '0';
        if (first != 0 && first != 1) {
            return -1;
        }
        return qvalue(bytes, at + 3, to, first * FULL);
    }

    /// Reads the rest of a value after its first digit, and the space at its end.
    ///
    /// @return thousandths; -1 if it is malformed
    private static int qvalue(byte[] bytes, int from, int to, int first) {
        int weight = first;
        int at = from;
        if (at < to && bytes[at] == '.') {
            at++;
            for (int unit = FULL / 10; unit > 0 && at < to && !isSpace(bytes[at]); unit /= 10) {
                int digit = bytes[at++] - '0';
                if (digit < 0 || digit > 9) {
                    return -1;
                }
                weight += digit * unit;
            }
        }
        return weight <= FULL && skipSpace(bytes, at, to) == to ? weight : -1;
    }

    /// Gives the codings that no element names the weight of `*`.
    private static long resolved(long slots) {
        int any = slot(slots, ANY);
        long accepted = 0;
        for (int i = 0; i < IDENTITY; i++) {
            int own = slot(slots, i);
            accepted |= (long) Math.max(0, (own > 0 ? own : any) - 1) << (i * BITS);
        }
        int own = slot(slots, IDENTITY);
        int identity = own > 0 ? own - 1 : any > 0 ? any - 1 : 1;
        return accepted | ((long) identity << (IDENTITY * BITS));
    }

    private static int slot(long slots, int i) {
        return (int) (slots >>> (i * SLOT_BITS)) & SLOT_MASK;
    }

    private static int skipSpace(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && isSpace(bytes[at])) {
            at++;
        }
        return at;
    }

    private static boolean isSpace(int b) {
        return b == ' ' || b == '\t';
    }

    private static byte[] bytes(String ascii) {
        return ascii.getBytes(StandardCharsets.US_ASCII);
    }
}
