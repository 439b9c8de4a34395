package dev.serval.codec;

/// Tests bytes for the character classes of RFC 9110 and RFC 3986, and checks UTF-8. One table
/// holds all classes. A byte may be passed signed or unsigned; a character above 255 is in no
/// class. Stateless.
public final class ByteRules {
    private static final int TOKEN = 1;
    private static final int PATH = 2;
    private static final int QUERY = 4;
    private static final int HEX = 8;
    private static final int FIELD = 16;
    private static final int HOST = 32;
    private static final byte[] CLASSES = classes();

    private ByteRules() {}

    /// Returns whether `b` is a tchar (RFC 9110 §5.6.2).
    public static boolean token(int b) {
        return has(b, TOKEN);
    }

    /// Returns whether `b` is a pchar, "/" or "%" (RFC 3986 §3.3).
    public static boolean path(int b) {
        return has(b, PATH);
    }

    /// Returns whether `b` is a pchar, "/", "?" or "%" (RFC 3986 §3.4).
    public static boolean query(int b) {
        return has(b, QUERY);
    }

    /// Returns whether `b` is allowed unencoded in a registered name: unreserved and sub-delims
    /// (RFC 3986 §3.2.2).
    public static boolean host(int b) {
        return has(b, HOST);
    }

    /// Returns whether `b` is a HEXDIG in either case (RFC 5234 §B.1).
    public static boolean hex(int b) {
        return has(b, HEX);
    }

    /// Returns whether `b` is allowed in a field value: VCHAR, obs-text, SP or HTAB (RFC 9110
    /// §5.5).
    public static boolean field(int b) {
        return has(b, FIELD);
    }

    /// Returns the value of a hexadecimal digit, or -1.
    public static int digit(int b) {
        if (b >= '0' && b <= '9') {
            return b - '0';
        }
        int lower = b | 0x20;
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }

    /// Returns an upper-case letter of ASCII in lower case, and any other byte as it is.
    public static int lower(int b) {
        return b >= 'A' && b <= 'Z' ? b | 0x20 : b;
    }

    /// Returns whether `bytes[from, to)` is well-formed UTF-8 (RFC 3629 §4).
    public static boolean utf8(byte[] bytes, int from, int to) {
        for (int i = from; i < to; ) {
            int first = bytes[i] & 0xff;
            int more = following(first);
            if (more < 0 || i + more >= to) {
                return false;
            }
            for (int k = 1; k <= more; k++) {
                int b = bytes[i + k] & 0xff;
                if (b < (k == 1 ? lowest(first) : 0x80) || b > (k == 1 ? highest(first) : 0xbf)) {
                    return false;
                }
            }
            i += 1 + more;
        }
        return true;
    }

    private static boolean has(int b, int kind) {
        return (CLASSES[b & 0xff] & kind) != 0 && b < CLASSES.length;
    }

    private static byte[] classes() {
        byte[] classes = new byte[256];
        String letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
        mark(classes, letters + "!#$%&'*+-.^_`|~", TOKEN);
        mark(classes, letters + "-._~!$&'()*+,;=:@/%", PATH);
        mark(classes, letters + "-._~!$&'()*+,;=:@/%?", QUERY);
        mark(classes, letters + "-._~!$&'()*+,;=", HOST);
        mark(classes, "0123456789abcdefABCDEF", HEX);
        for (int b = 0; b < 256; b++) {
            if (b == '\t' || (b >= ' ' && b != 0x7f)) {
                classes[b] |= FIELD;
            }
        }
        return classes;
    }

    private static void mark(byte[] classes, String bytes, int kind) {
        for (int i = 0; i < bytes.length(); i++) {
            classes[bytes.charAt(i)] |= (byte) kind;
        }
    }

    private static int following(int first) {
        if (first < 0x80) {
            return 0;
        }
        if (first < 0xc2 || first > 0xf4) {
            return -1;
        }
        return first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    }

    private static int lowest(int first) {
        return switch (first) {
            case 0xe0 -> 0xa0; // excludes overlong forms
            case 0xf0 -> 0x90;
            default -> 0x80;
        };
    }

    private static int highest(int first) {
        return switch (first) {
            case 0xed -> 0x9f; // excludes surrogates
            case 0xf4 -> 0x8f; // excludes code points above U+10FFFF
            default -> 0xbf;
        };
    }
}
