package dev.serval.http;

/// Whether octets are well-formed UTF-8 (RFC 3629 §4). Stateless.
final class Utf8 {
    private Utf8() {}

    static boolean valid(byte[] octets, int from, int to) {
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
