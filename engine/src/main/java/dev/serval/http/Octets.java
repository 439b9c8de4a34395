package dev.serval.http;

/// Classes of octets that RFC 9110 and RFC 3986 name, as one table. Stateless.
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
}
