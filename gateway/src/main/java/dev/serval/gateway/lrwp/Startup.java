package dev.serval.gateway.lrwp;

import static java.util.Objects.requireNonNull;

import dev.serval.codec.ByteRules;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads the startup message of a peer, in any pieces. 255 (FF) separates its parts:
///
/// ```text
///   name FF host FF [filter]              LRWP 1.0
///   FF 2.0 FF name FF host FF             LRWP 2.0
/// ```
/// The message has no end of its own. It is complete with the second or fourth FF, and what has
/// arrived after that is the filter, which has no meaning. Owned by one loop.
final class Startup {
    /// What is known of the message.
    enum Outcome {
        /// It goes on.
        MORE,
        /// It is complete: see [Startup#registration].
        COMPLETE,
        /// It breaks the rules: see [Startup#refusal].
        REFUSED
    }

    /// The byte between the parts.
    static final int SEPARATOR = 0xff;

    private static final int PART_MAX_BYTES = 200;
    private static final int VERSION_BYTES = 3;
    private static final String MALFORMED = "Malformed startup string";
    private static final String ENCODED =
            MALFORMED + ": the name has a percent-encoding, but paths are compared decoded";
    private static final String NO_PATH =
            MALFORMED
                    + ": no path of a request has this name, because the server removes empty and"
                    + " dot segments and refuses backslashes";
    private static final String TOO_LONG = "Registration component too long";

    private final byte[] bytes;
    private int length;
    private @Nullable Registration registration;
    private String refusal = "";
    private boolean second; // LRWP 2.0

    /// Creates a reader.
    ///
    /// @param maxBytes the longest message
    public Startup(int maxBytes) {
        bytes = new byte[maxBytes];
    }

    /// Reads bytes of the message.
    public Outcome take(byte[] source, int from, int to) {
        int n = Math.min(to - from, bytes.length - length);
        System.arraycopy(source, from, bytes, length, n);
        length += n;
        if (length > 0 && (bytes[0] & 0xff) == SEPARATOR) {
            return version();
        }
        return parts(0);
    }

    /// Ends the message of a peer that sends no more.
    ///
    /// @return [Outcome#REFUSED]
    public Outcome end() {
        return refuse(MALFORMED);
    }

    /// Returns the complete message.
    public Registration registration() {
        return requireNonNull(registration, "The message is not complete");
    }

    /// Returns why the message was refused.
    public String refusal() {
        return refusal;
    }

    /// Returns whether the peer speaks LRWP 2.0, as far as is known.
    public boolean isSecond() {
        return second;
    }

    private Outcome version() {
        int end = separator(1);
        if (end < 0) {
            boolean tooLong = length > 1 + VERSION_BYTES;
            return tooLong ? refuse(MALFORMED) : Outcome.MORE;
        }
        boolean formed =
                end == 1 + VERSION_BYTES
                        && isDigit(bytes[1])
                        && bytes[2] == '.'
                        && isDigit(bytes[3]);
        if (!formed) {
            return refuse(MALFORMED);
        }
        switch (bytes[1]) {
            case '1' -> {}
            case '2' -> second = true;
            default -> {
                return refuse("Unknown LRWP version");
            }
        }
        return parts(end + 1);
    }

    private Outcome parts(int from) {
        int nameEnd = separator(from);
        if (hasControl(from, nameEnd < 0 ? length : nameEnd)) {
            return refuse(MALFORMED); // another protocol, such as HTTP or TLS
        }
        if (nameEnd < 0) {
            return open(length - from);
        }
        if (nameEnd - from > PART_MAX_BYTES) {
            return refuse(TOO_LONG);
        }
        int hostEnd = separator(nameEnd + 1);
        if (hostEnd < 0) {
            return open(length - nameEnd - 1);
        }
        if (hostEnd - nameEnd - 1 > PART_MAX_BYTES) {
            return refuse(TOO_LONG);
        }
        @Nullable String host = host(nameEnd + 1, hostEnd);
        if (host == null || from == nameEnd || !ByteRules.utf8(bytes, from, nameEnd)) {
            return refuse(MALFORMED);
        }
        if (hasEncoding(from, nameEnd)) {
            return refuse(ENCODED);
        }
        byte @Nullable [] prefix = prefix(from, nameEnd);
        if (prefix == null) {
            return refuse(NO_PATH);
        }
        registration = new Registration(second, prefix, host);
        return Outcome.COMPLETE;
    }

    /// Returns the outcome of a part without an end so far.
    private Outcome open(int partBytes) {
        if (partBytes > PART_MAX_BYTES) {
            return refuse(TOO_LONG);
        }
        return length == bytes.length ? refuse(MALFORMED) : Outcome.MORE;
    }

    private int separator(int from) {
        for (int i = from; i < length; i++) {
            if ((bytes[i] & 0xff) == SEPARATOR) {
                return i;
            }
        }
        return -1;
    }

    private boolean hasControl(int from, int to) {
        for (int i = from; i < to; i++) {
            if ((bytes[i] >= 0 && bytes[i] < ' ') || bytes[i] == 0x7f) {
                return true;
            }
        }
        return false;
    }

    /// Returns a host in lower case and without a final dot, as that of a request is compared; null if
    /// no host has this form.
    private @Nullable String host(int from, int to) {
        int end = to > from && bytes[to - 1] == '.' ? to - 1 : to;
        if (end == from && end < to) {
            return null;
        }
        for (int i = from; i < to; i++) {
            if (bytes[i] < 0 || !ByteRules.host(bytes[i])) {
                return null;
            }
        }
        String text = new String(bytes, from, end - from, StandardCharsets.ISO_8859_1);
        return text.toLowerCase(Locale.ROOT);
    }

    /// Returns whether a name would change if it was decoded. A peer that registers `a%20b` means
    /// `/a b`, but would get the requests for `/a%2520b`.
    private boolean hasEncoding(int from, int to) {
        for (int i = from; i + 2 < to; i++) {
            boolean encoding =
                    bytes[i] == '%'
                            && ByteRules.digit(bytes[i + 1]) >= 0
                            && ByteRules.digit(bytes[i + 2]) >= 0;
            if (encoding) {
                return true;
            }
        }
        return false;
    }

    /// Returns the name as a path of a request has it, `/name` or `.suffix`; empty for `/`. Null if
    /// no request has such a path.
    private byte @Nullable [] prefix(int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == '\\') {
                return null;
            }
        }
        if (bytes[from] == '.') {
            return isSuffix(from, to) ? Arrays.copyOfRange(bytes, from, to) : null;
        }
        int first = bytes[from] == '/' ? from + 1 : from;
        int last = to > first && bytes[to - 1] == '/' ? to - 1 : to;
        if (last <= first) {
            return new byte[0];
        }
        byte[] prefix = new byte[last - first + 1];
        prefix[0] = '/';
        System.arraycopy(bytes, first, prefix, 1, last - first);
        String text = new String(prefix, StandardCharsets.UTF_8) + "/";
        boolean normal = !text.contains("//") && !text.contains("/./") && !text.contains("/../");
        return normal ? prefix : null;
    }

    private boolean isSuffix(int from, int to) {
        for (int i = from + 1; i < to; i++) {
            if (bytes[i] == '/') {
                return false;
            }
        }
        return to - from > 1 && bytes[from + 1] != '.';
    }

    private static boolean isDigit(int b) {
        return b >= '0' && b <= '9';
    }

    private Outcome refuse(String why) {
        refusal = why;
        return Outcome.REFUSED;
    }
}
