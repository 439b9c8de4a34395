package dev.serval.file;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/// What is never served, however it is spelled: dot files, the private folders of a web
/// application, and JSP source (Servlet 6.1 §10.5). Decided on the path as requested, and again on
/// the name the file system gives to what was found, since it may fold letters that we do not.
/// Stateless.
final class HiddenPaths {
    private static final byte[] WELL_KNOWN = bytes(".well-known");
    private static final byte[][] FOLDERS = {bytes("web-inf"), bytes("meta-inf")};
    private static final byte[][] SOURCES = {
        bytes("jsp"), bytes("jspx"), bytes("jspf"), bytes("tag"), bytes("tagx"), bytes("tagf")
    };

    private HiddenPaths() {}

    /// Whether the normalised path `/segment/…` below a mount is never served.
    static boolean hides(byte[] path) {
        int from = 0;
        for (int i = 0; i <= path.length; i++) {
            if (i == path.length || path[i] == '/') {
                if (dotted(path, from, i) || named(path, from, i)) {
                    return true;
                }
                from = i + 1;
            }
        }
        return false;
    }

    /// Whether a part of `real` behind its first `skip` names is never served. Dots are no matter
    /// here: a link that was asked for by a plain name may well lead through a folder with a dot,
    /// as mounted volumes of Kubernetes do.
    static boolean hides(Path real, int skip) {
        for (int i = skip; i < real.getNameCount(); i++) {
            byte[] name = real.getName(i).toString().getBytes(StandardCharsets.UTF_8);
            if (named(name, 0, name.length)) {
                return true;
            }
        }
        return false;
    }

    /// A segment with a dot in front, but for the mount's own `/.well-known` (RFC 8615 §3).
    private static boolean dotted(byte[] path, int from, int to) {
        if (from == to || path[from] != '.') {
            return false;
        }
        boolean wellKnown =
                from == 1 && Arrays.equals(path, from, to, WELL_KNOWN, 0, WELL_KNOWN.length);
        return !wellKnown;
    }

    private static boolean named(byte[] bytes, int from, int to) {
        int end = bareEnd(bytes, from, to);
        for (byte[] folder : FOLDERS) {
            if (equal(bytes, from, end, folder)) {
                return true;
            }
        }
        int dot = end - 1;
        while (dot >= from && bytes[dot] != '.') {
            dot--;
        }
        for (byte[] source : SOURCES) {
            if (dot >= from && equal(bytes, dot + 1, end, source)) {
                return true;
            }
        }
        return false;
    }

    /// The end of a segment without parameters, stream names, and the dots and spaces that some
    /// file systems drop.
    private static int bareEnd(byte[] bytes, int from, int to) {
        int end = from;
        while (end < to && bytes[end] != ';' && bytes[end] != ':') {
            end++;
        }
        while (end > from && (bytes[end - 1] == '.' || bytes[end - 1] == ' ')) {
            end--;
        }
        return end;
    }

    private static boolean equal(byte[] bytes, int from, int to, byte[] lower) {
        if (to - from != lower.length) {
            return false;
        }
        for (int i = 0; i < lower.length; i++) {
            int b = bytes[from + i];
            if ((b >= 'A' && b <= 'Z' ? b | 0x20 : b) != lower[i]) {
                return false;
            }
        }
        return true;
    }

    private static byte[] bytes(String ascii) {
        return ascii.getBytes(StandardCharsets.US_ASCII);
    }
}
