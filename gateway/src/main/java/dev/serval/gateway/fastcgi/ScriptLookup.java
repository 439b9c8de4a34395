package dev.serval.gateway.fastcgi;

import dev.serval.file.FileHandler;
import dev.serval.http.PathPatterns;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Decides which script answers a path, as nginx with its usual PHP location does. The first
/// segment that ends with `.php` and is a file is the script; what follows is PATH_INFO. Paths are
/// normalised already, so they have no dot segments.
///
/// A local root is looked at by the handler of the files beside the scripts. So links to scripts are
/// followed exactly as those to files are ([dev.serval.file.Links]). The check and the open by the
/// application server are two steps: who may change the folder between them is not stopped.
///
/// The application server gets a local root without links, as `$realpath_root` of nginx. A root that
/// is a link may be switched to another folder, and PHP would else keep for minutes where it led.
///
/// [#find] reads the disk. Immutable; any thread.
final class ScriptLookup {
    private static final String EXTENSION_TEXT = FastcgiHandler.SCRIPT_EXTENSION;
    private static final byte[] EXTENSION = bytes(EXTENSION_TEXT);
    private static final String WELL_KNOWN = ".well-known";

    /// The most looks at a root that is switched meanwhile.
    private static final int LOOKS_MAX = 3;

    private final Path root;
    private final @Nullable LocalFiles files;
    private final byte[] index;
    private final byte @Nullable [] fallback;
    private final PathPatterns denied;

    /// @param files the files of a local root; null if only the application server has the root
    /// @param denied paths that answer for no folder as its index
    /// @throws IOException if a local root cannot be read
    ScriptLookup(Path root, FastcgiTarget target, @Nullable LocalFiles files, PathPatterns denied)
            throws IOException {
        this.root = root;
        this.files = files;
        this.denied = denied;
        this.index = bytes(target.index());
        @Nullable String other = target.fallback();
        this.fallback = other == null ? null : bytes(other);
        Path _ = realRoot();
    }

    /// Returns what `path` leads to.
    ///
    /// @param path below the mount: empty, or `/name[/name…]`
    /// @throws IOException if the disk or the system failed
    Script find(byte[] path) throws IOException {
        if (hidden(path)) {
            return Script.of(Script.Kind.HIDDEN);
        }
        Path before = realRoot();
        Script found = find(path, before);
        Path after = realRoot();
        for (int looks = 1; !after.equals(before) && looks < LOOKS_MAX; looks++) {
            before = after;
            found = find(path, before);
            after = realRoot();
        }
        return found;
    }

    private Path realRoot() throws IOException {
        return files == null ? root : root.toRealPath();
    }

    private Script find(byte[] path, Path realRoot) throws IOException {
        byte[] folder = bytes(realRoot.toString());
        @Nullable LocalFiles local = files;
        int end = local == null ? scriptEnd(path) : local.handler().scriptEnd(path, EXTENSION);
        if (end > 0) {
            return local == null && isBelowFile(path, end)
                    ? Script.of(Script.Kind.HIDDEN)
                    : script(folder, Arrays.copyOf(path, end), end);
        }
        return local == null ? remote(folder, path) : other(local, folder, path);
    }

    /// Returns whether a segment before the script looks like a file, as in `/a.jpg/x.php`. PHP would
    /// walk back to that file and run it, unless `security.limit_extensions` prevents it.
    private static boolean isBelowFile(byte[] path, int scriptEnd) {
        int script = scriptEnd - 1;
        while (script > 0 && path[script] != '/') {
            script--;
        }
        for (int i = 1; i < script - 1; i++) {
            if (path[i] == '.' && path[i - 1] != '/' && beginsExtension(path, i + 1)) {
                return true;
            }
        }
        return false;
    }

    /// Returns whether the letters and digits from `at` on have a letter, as in `jpg` and `7z`. A number
    /// alone is that of a version, as in `/v1.2/x.php`.
    private static boolean beginsExtension(byte[] path, int at) {
        int i = at;
        while (i < path.length && path[i] >= '0' && path[i] <= '9') {
            i++;
        }
        return i < path.length && (path[i] | 0x20) >= 'a' && (path[i] | 0x20) <= 'z';
    }

    private Script remote(byte[] folder, byte[] path) {
        if (path.length == 0 || path[path.length - 1] == '/') {
            byte[] name = withName(path, index);
            return isBelowFile(name, name.length) || isDenied(name)
                    ? Script.of(Script.Kind.HIDDEN)
                    : script(folder, name, path.length);
        }
        return fallback != null
                ? script(folder, fallback, path.length)
                : Script.of(Script.Kind.PASS);
    }

    private Script other(LocalFiles local, byte[] folder, byte[] path) throws IOException {
        FileHandler handler = local.handler();
        return switch (handler.look(path)) {
            case NOTHING ->
                    fallback != null && handler.file(fallback) != null
                            ? script(folder, fallback, path.length)
                            : Script.of(
                                    isSource(name(path)) ? Script.Kind.HIDDEN : Script.Kind.PASS);
            case FILE ->
                    Script.of(leadsToSource(handler, path) ? Script.Kind.HIDDEN : Script.Kind.PASS);
            case FOLDER -> folder(local, folder, path);
        };
    }

    /// Returns what answers for a folder: its index, or the first of its index files that exists.
    private Script folder(LocalFiles local, byte[] folder, byte[] path) throws IOException {
        if (path.length == 0 || path[path.length - 1] != '/') {
            return Script.of(Script.Kind.PASS); // redirected to the path with the slash
        }
        byte[] indexed = withName(path, index);
        if (!isDenied(indexed) && local.handler().file(indexed) != null) {
            return script(folder, indexed, path.length);
        }
        for (String name : local.indexNames()) {
            byte[] file = withName(path, bytes(name));
            if (isDenied(file) || local.handler().look(file) != FileHandler.Kind.FILE) {
                continue;
            }
            if (name.endsWith(EXTENSION_TEXT)) {
                return script(folder, file, path.length);
            }
            boolean source = leadsToSource(local.handler(), file);
            return Script.of(source ? Script.Kind.HIDDEN : Script.Kind.PASS);
        }
        return Script.of(Script.Kind.PASS);
    }

    private boolean isDenied(byte[] path) {
        return denied.matches(new String(path, StandardCharsets.UTF_8));
    }

    /// Returns whether a file, or the one that a link of its name leads to, may be a source.
    private static boolean leadsToSource(FileHandler handler, byte[] path) throws IOException {
        @Nullable Path file = handler.file(path);
        return isSource(name(path))
                || (file != null && isSource(String.valueOf(file.getFileName())));
    }

    private static Script script(byte[] folder, byte[] name, int infoAt) {
        return new Script(Script.Kind.SCRIPT, name, folder, infoAt);
    }

    private static byte[] withName(byte[] path, byte[] name) {
        boolean slash = path.length > 0 && path[path.length - 1] == '/';
        int at = path.length + (slash ? 0 : 1);
        byte[] named = Arrays.copyOf(path, at + name.length);
        named[at - 1] = '/';
        System.arraycopy(name, 0, named, at, name.length);
        return named;
    }

    /// Returns the end of the first segment that ends with `.php`, or -1.
    private static int scriptEnd(byte[] path) {
        for (int end = 1; end <= path.length; end++) {
            if (FileHandler.isScriptName(path, end, EXTENSION)) {
                return end;
            }
        }
        return -1;
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
