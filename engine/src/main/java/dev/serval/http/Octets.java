package dev.serval.http;

/// Classes of octets that RFC 9110 and RFC 3986 name, as one table, and UTF-8. Stateless.
public final class Octets {
    private static final int TOKEN = 1;
    private static final int PATH = 2;
    private static final int QUERY = 4;
    private static final int HEX = 8;
    private static final int FIELD = 16;
    private static final int HOST = 32;
    private static final byte[] CLASSES = classes();

    private Octets() {}

    /// tchar (RFC 9110 §5.6.2).
    public static boolean token(int octet) {
        return has(octet, TOKEN);
    }

    /// pchar, "/" and "%" (RFC 3986 §3.3).
    public static boolean path(int octet) {
        return has(octet, PATH);
    }

    /// pchar, "/", "?" and "%" (RFC 3986 §3.4).
    public static boolean query(int octet) {
        return has(octet, QUERY);
    }

    /// unreserved and sub-delims: what may stand unencoded in a registered name (RFC 3986 §3.2.2).
    public static boolean host(int octet) {
        return has(octet, HOST);
    }

    /// HEXDIG in either case (RFC 5234 §B.1).
    public static boolean hex(int octet) {
        return has(octet, HEX);
    }

    /// VCHAR, obs-text, SP and HTAB: what may stand in a field value (RFC 9110 §5.5).
    public static boolean field(int octet) {
        return has(octet, FIELD);
    }

    /// The value of a hexadecimal digit, or -1.
    public static int digit(int octet) {
        if (octet >= '0' && octet <= '9') {
            return octet - '0';
        }
        int lower = octet | 0x20;
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }

    /// Bytes come with or without their sign, characters past 255 are in no class.
    /// Whether `octets[from, to)` is well-formed UTF-8 (RFC 3629 §4).
    public static boolean utf8(byte[] octets, int from, int to) {
        for (int i = from; i < to; ) {
            int first = octets[i] & 0xff;
            int more = following(first);
            if (more < 0 || i + more >= to) {
                return false;
            }
            for (int k = 1; k <= more; k++) {
                int octet = octets[i + k] & 0xff;
                if (octet < (k == 1 ? lowest(first) : 0x80)
                        || octet > (k == 1 ? highest(first) : 0xbf)) {
                    return false;
                }
            }
            i += 1 + more;
        }
        return true;
    }

    private static boolean has(int octet, int kind) {
        return (CLASSES[octet & 0xff] & kind) != 0 && octet < CLASSES.length;
    }

    private static byte[] classes() {
        byte[] classes = new byte[256];
        String letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
        mark(classes, letters + "!#$%&'*+-.^_`|~", TOKEN);
        mark(classes, letters + "-._~!$&'()*+,;=:@/%", PATH);
        mark(classes, letters + "-._~!$&'()*+,;=:@/%?", QUERY);
        mark(classes, letters + "-._~!$&'()*+,;=", HOST);
        mark(classes, "0123456789abcdefABCDEF", HEX);
        for (int octet = 0; octet < 256; octet++) {
            if (octet == '\t' || (octet >= ' ' && octet != 0x7f)) {
                classes[octet] |= FIELD;
            }
        }
        return classes;
    }

    private static void mark(byte[] classes, String octets, int kind) {
        for (int i = 0; i < octets.length(); i++) {
            classes[octets.charAt(i)] |= (byte) kind;
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
            case 0xe0 -> 0xa0; // shorter forms exist
            case 0xf0 -> 0x90;
            default -> 0x80;
        };
    }

    private static int highest(int first) {
        return switch (first) {
            case 0xed -> 0x9f; // surrogates
            case 0xf4 -> 0x8f; // above U+10FFFF
            default -> 0xbf;
        };
    }
}
