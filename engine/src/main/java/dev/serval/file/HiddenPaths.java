package dev.serval.file;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/// Decides which paths are never served, in any spelling: dot files, private folders of a web
/// application, and JSP source (Servlet 6.1 §10.5). It checks the requested path. It also checks
/// the name that the file system reports, because a file system may fold letters that we do not.
/// Stateless.
public final class HiddenPaths {
    private static final byte[] WELL_KNOWN = bytes(".well-known");
    private static final byte[][] FOLDERS = {bytes("web-inf"), bytes("meta-inf")};
    private static final byte[][] SOURCES = {
        bytes("jsp"), bytes("jspx"), bytes("jspf"), bytes("tag"), bytes("tagx"), bytes("tagf")
    };

    private HiddenPaths() {}

    /// Returns whether the normalized path `/segment/…` below a mount is never served.
    public static boolean hides(String path) {
        return hides(path.getBytes(StandardCharsets.UTF_8));
    }

    /// Returns whether the normalized path `/segment/…` below a mount is never served.
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

    /// Returns whether a name of `real` after its first `skip` names is never served. Dots are
    /// allowed here, because a link with a plain name may lead through a folder with a dot, as in
    /// volumes of Kubernetes.
    public static boolean hides(Path real, int skip) {
        for (int i = skip; i < real.getNameCount(); i++) {
            byte[] name = real.getName(i).toString().getBytes(StandardCharsets.UTF_8);
            if (named(name, 0, name.length)) {
                return true;
            }
        }
        return false;
    }

    /// Returns whether a segment begins with a dot, except the mount's own `/.well-known` (RFC 8615
    /// §3).
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

    /// Returns the end of a segment without parameters, stream names, and the final dots and spaces
    /// that some file systems drop.
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
