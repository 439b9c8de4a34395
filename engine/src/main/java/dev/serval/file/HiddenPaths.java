package dev.serval.file;

import dev.serval.codec.ByteRules;
import dev.serval.codec.NameFolding;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/// Decides which paths are never served, in any spelling: dot files, private folders of a web
/// application, and JSP source (Servlet 6.1 §10.5). It checks the requested path. It also checks
/// the name that the file system reports, because it may find a name in another spelling. A folder
/// may have the name of a JSP. A name with characters beyond ASCII is folded as file systems
/// without case do it ([NameFolding]).
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
        int last = lastName(path);
        int from = 0;
        int all = 0; // negative if the segment has a byte beyond ASCII
        for (int i = 0; i <= path.length; i++) {
            if (i == path.length || path[i] == '/') {
                boolean ofFile = from >= last;
                if (all < 0 ? hidesFolded(path, from, i, ofFile) : hides(path, from, i, ofFile)) {
                    return true;
                }
                from = i + 1;
                all = 0;
            } else {
                all |= path[i];
            }
        }
        return false;
    }

    /// Returns where the last segment begins that names something. A file system may ignore what follows.
    private static int lastName(byte[] path) {
        int at = path.length;
        while (at > 0 && (path[at - 1] == '/' || path[at - 1] == '.' || path[at - 1] == ' ')) {
            at--;
        }
        while (at > 0 && path[at - 1] != '/') {
            at--;
        }
        return at;
    }

    private static boolean hides(byte[] path, int from, int to, boolean ofFile) {
        return dotted(path, from, to) || named(path, from, to, ofFile);
    }

    /// Returns whether a segment is never served that a file system may take for another one. Not even
    /// `.well-known` is served in such a spelling.
    private static boolean hidesFolded(byte[] path, int from, int to, boolean ofFile) {
        byte[] name = folded(new String(path, from, to - from, StandardCharsets.UTF_8));
        return (name.length > 0 && name[0] == '.') || named(name, 0, name.length, ofFile);
    }

    private static byte[] folded(String name) {
        return NameFolding.folded(name).getBytes(StandardCharsets.UTF_8);
    }

    /// Returns whether a name of `real` after its first `skip` names is never served. Dots are
    /// allowed here, because a link with a plain name may lead through a folder with a dot, as in
    /// volumes of Kubernetes.
    public static boolean hides(Path real, int skip) {
        for (int i = skip; i < real.getNameCount(); i++) {
            String text = real.getName(i).toString();
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            byte[] name = bytes.length == text.length() ? bytes : folded(text); // ASCII stays
            if (named(name, 0, name.length, i == real.getNameCount() - 1)) {
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

    private static boolean named(byte[] bytes, int from, int to, boolean ofFile) {
        int end = plainEnd(bytes, from, to);
        int bare = bareEnd(bytes, from, to);
        return isNamed(bytes, from, end, ofFile)
                || (bare < end && isNamed(bytes, from, bare, ofFile));
    }

    /// @param ofFile whether the name may be that of a file, so that it may be JSP source
    private static boolean isNamed(byte[] bytes, int from, int end, boolean ofFile) {
        for (byte[] folder : FOLDERS) {
            if (equal(bytes, from, end, folder)) {
                return true;
            }
        }
        if (!ofFile) {
            return false;
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

    /// Returns the end of a segment without parameters and stream names, which some file systems and
    /// containers drop.
    private static int bareEnd(byte[] bytes, int from, int to) {
        int end = from;
        while (end < to && bytes[end] != ';' && bytes[end] != ':') {
            end++;
        }
        return plainEnd(bytes, from, end);
    }

    /// Returns the end of a segment without the final dots and spaces that some file systems drop.
    private static int plainEnd(byte[] bytes, int from, int to) {
        int end = to;
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
            if (ByteRules.lower(bytes[from + i]) != lower[i]) {
                return false;
            }
        }
        return true;
    }

    private static byte[] bytes(String ascii) {
        return ascii.getBytes(StandardCharsets.US_ASCII);
    }
}
