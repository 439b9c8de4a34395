package dev.serval.servlet.scan;

/// Searches bytes.
final class Bytes {
    private Bytes() {}

    /// Returns whether the bytes contain the part.
    static boolean contain(byte[] bytes, byte[] part) {
        int end = bytes.length - part.length;
        for (int start = 0; start <= end; start++) {
            if (bytes[start] == part[0] && matches(bytes, start, part)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(byte[] bytes, int start, byte[] part) {
        for (int i = 1; i < part.length; i++) {
            if (bytes[start + i] != part[i]) {
                return false;
            }
        }
        return true;
    }
}
