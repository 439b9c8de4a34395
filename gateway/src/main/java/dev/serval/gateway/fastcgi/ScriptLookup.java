package dev.serval.gateway.fastcgi;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Decides which script answers a path, as nginx with its usual PHP location does. The first
/// segment that ends with `.php` and is a file is the script; what follows is PATH_INFO. Paths are
/// normalised already, so they have no dot segments. A link out of the root is never followed.
///
/// [#find] reads the disk. Immutable; any thread.
final class ScriptLookup {
    private static final byte[] EXTENSION = bytes(".php");
    private static final String WELL_KNOWN = ".well-known";

    private final Path root;
    private final boolean local;
    private final byte[] rootBytes;
    private final byte[] index;
    private final byte @Nullable [] fallback;

    /// @throws IOException if a local root cannot be read
    ScriptLookup(Path root, FastcgiTarget target) throws IOException {
        this.local = target.local();
        this.root = local ? root.toRealPath() : root;
        this.rootBytes = bytes(root.toString());
        this.index = bytes(target.index());
        @Nullable String other = target.fallback();
        this.fallback = other == null ? null : bytes(other);
    }

    /// Returns what `path` leads to.
    ///
    /// @param path below the mount: empty, or `/name[/name…]`
    Script find(byte[] path) {
        if (hidden(path)) {
            return Script.of(Script.Kind.HIDDEN);
        }
        for (int end = scriptEnd(path, 0); end > 0; end = scriptEnd(path, end)) {
            if (!local && isBelowFile(path, end)) {
                return Script.of(Script.Kind.HIDDEN);
            }
            if (!local || isScript(path, end)) {
                return script(Arrays.copyOf(path, end), end);
            }
        }
        return local ? other(path) : remote(path);
    }

    /// Returns whether a segment before the script looks like a file, as in `/a.jpg/x.php`. PHP would
    /// walk back to that file and run it, unless `security.limit_extensions` prevents it.
    private static boolean isBelowFile(byte[] path, int scriptEnd) {
        int script = scriptEnd - 1;
        while (script > 0 && path[script] != '/') {
            script--;
        }
        for (int i = 1; i < script - 1; i++) {
            boolean letter = (path[i + 1] | 0x20) >= 'a' && (path[i + 1] | 0x20) <= 'z';
            if (path[i] == '.' && path[i - 1] != '/' && letter) {
                return true;
            }
        }
        return false;
    }

    private Script remote(byte[] path) {
        if (path.length == 0 || path[path.length - 1] == '/') {
            return script(withIndex(path), path.length);
        }
        return fallback != null ? script(fallback, path.length) : Script.of(Script.Kind.PASS);
    }

    private Script other(byte[] path) {
        @Nullable Path file = real(path);
        if (file == null) {
            return fallback != null && isScript(fallback, fallback.length)
                    ? script(fallback, path.length)
                    : Script.of(isSource(name(path)) ? Script.Kind.HIDDEN : Script.Kind.PASS);
        }
        if (!Files.isDirectory(file)) {
            boolean source = isSource(name(path)) || isSource(String.valueOf(file.getFileName()));
            return Script.of(source ? Script.Kind.HIDDEN : Script.Kind.PASS);
        }
        byte[] indexed = withIndex(path);
        if (!isScript(indexed, indexed.length)) {
            return Script.of(Script.Kind.PASS);
        }
        // Without the slash, the files' handler redirects to the path with it.
        boolean slash = path.length > 0 && path[path.length - 1] == '/';
        return slash ? script(indexed, path.length) : Script.of(Script.Kind.PASS);
    }

    private Script script(byte[] name, int infoAt) {
        return new Script(Script.Kind.SCRIPT, name, rootBytes, infoAt);
    }

    private byte[] withIndex(byte[] path) {
        boolean slash = path.length > 0 && path[path.length - 1] == '/';
        int at = path.length + (slash ? 0 : 1);
        byte[] name = Arrays.copyOf(path, at + index.length);
        name[at - 1] = '/';
        System.arraycopy(index, 0, name, at, index.length);
        return name;
    }

    /// Returns the end of the first segment after `from` that ends with `.php`, or -1.
    private static int scriptEnd(byte[] path, int from) {
        for (int end = from + 1; end <= path.length; end++) {
            boolean segmentEnds = end == path.length || path[end] == '/';
            int at = end - EXTENSION.length;
            if (segmentEnds
                    && at > from
                    && path[at - 1] != '/'
                    && Arrays.equals(path, at, end, EXTENSION, 0, EXTENSION.length)) {
                return end;
            }
        }
        return -1;
    }

    private boolean isScript(byte[] path, int end) {
        @Nullable Path file = real(Arrays.copyOf(path, end));
        return file != null && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    /// Returns the real path of a file or folder in the root, or null.
    private @Nullable Path real(byte[] path) {
        try {
            String below = new String(path, StandardCharsets.UTF_8);
            Path real = root.resolve(below.substring(Math.min(1, below.length()))).toRealPath();
            return real.startsWith(root) ? real : null;
        } catch (IOException | InvalidPathException e) {
            return null;
        }
    }

    private static boolean hidden(byte[] path) {
        String text = new String(path, StandardCharsets.UTF_8);
        int at = text.indexOf("/.");
        while (at >= 0) {
            boolean wellKnown =
                    at == 0
                            && text.startsWith(WELL_KNOWN, 1)
                            && (text.length() == WELL_KNOWN.length() + 1
                                    || text.charAt(WELL_KNOWN.length() + 1) == '/');
            if (!wellKnown) {
                return true;
            }
            at = text.indexOf("/.", at + 1);
        }
        return false;
    }

    private static String name(byte[] path) {
        String text = new String(path, StandardCharsets.UTF_8);
        return text.substring(text.lastIndexOf('/') + 1);
    }

    /// Returns whether a file of this name may be the source of a script: `a.php`, `a.PHP7`,
    /// `a.phtml`, `a.phar`, `a.php.bak`, `a.php~`.
    static boolean isSource(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.contains(".php") || lower.contains(".phtml") || lower.contains(".phar");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
