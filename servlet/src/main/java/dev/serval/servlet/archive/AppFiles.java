package dev.serval.servlet.archive;

import dev.serval.codec.NameFolding;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The files of an application: those in its folder, then META-INF/resources of its jars (Servlet
/// 6.1 §4.6). Immutable, and used by any thread. Reads the disk.
///
/// Paths begin with a slash and are normalized. A path that is not, or that leads out of the
/// application by a link, is not found. Names are never case-folded, even if the file system does.
/// Private files are found, because `getResource` may read them: [#isProtected] tells which must
/// not be served.
public final class AppFiles {
    private static final System.Logger LOG = System.getLogger(AppFiles.class.getName());
    private static final String WEB_INF = "WEB-INF";
    private static final String META_INF = "META-INF";
    private static final List<String> PAGE_EXTENSIONS =
            List.of(".jsp", ".jspx", ".jspf", ".tag", ".tagx", ".tagf");

    /// A folder with files, and the jar that it was extracted from.
    ///
    /// @param root a real path
    /// @param jar empty for the application's own folder
    record Layer(Path root, String jar) {}

    private final List<Layer> layers;

    AppFiles(List<Layer> layers) {
        this.layers = List.copyOf(layers);
    }

    /// Returns the folders that are searched, in this order: the application's own, then one for
    /// each jar that has resources. A file handler for each serves what [#find] finds.
    public List<Path> roots() {
        return layers.stream().map(Layer::root).toList();
    }

    /// Finds a file or folder.
    ///
    /// @return null if there is none
    public @Nullable AppFile find(String path) {
        for (Layer layer : layers) {
            @Nullable AppFile found = find(layer, path);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /// Returns the paths directly below a folder. Those of folders end with a slash.
    ///
    /// @return empty if there is no such folder
    public Set<String> below(String path) throws IOException {
        Set<String> paths = new TreeSet<>();
        for (Layer layer : layers) {
            @Nullable AppFile folder = find(layer, path);
            if (folder != null && folder.folder()) {
                addChildren(layer, path.endsWith("/") ? path : path + "/", folder, paths);
            }
        }
        return paths;
    }

    private static void addChildren(Layer layer, String path, AppFile folder, Set<String> paths)
            throws IOException {
        try (DirectoryStream<Path> children = Files.newDirectoryStream(folder.path())) {
            for (Path child : children) {
                String childPath = path + child.getFileName();
                @Nullable AppFile found = find(layer, childPath);
                if (found != null) {
                    paths.add(found.folder() ? childPath + "/" : childPath);
                }
            }
        }
    }

    /// Returns a `file:` URL.
    ///
    /// @return null if there is no such file or folder
    public @Nullable URL url(String path) throws MalformedURLException {
        @Nullable AppFile file = find(path);
        return file == null ? null : file.path().toUri().toURL();
    }

    /// Returns the path on the disk, also for a file that does not exist yet in the application's
    /// own folder.
    ///
    /// @return null if the path leads out of the application
    public @Nullable String realPath(String path) {
        @Nullable AppFile file = find(path);
        if (file != null) {
            return file.path().toString();
        }
        Layer own = layers.getFirst();
        @Nullable Path target = resolve(own, path);
        return target == null || !staysInside(own, target) ? null : target.toString();
    }

    /// Opens a file.
    ///
    /// @return null if there is no such file, or it is a folder
    public @Nullable InputStream open(String path) throws IOException {
        @Nullable AppFile file = find(path);
        return file == null || file.folder() ? null : Files.newInputStream(file.path());
    }

    /// Returns whether a path is in WEB-INF or META-INF (Servlet 6.1 §10.5), or names the source of
    /// a JSP page or a tag file, in any spelling that a file system could take for one of them. Such files must
    /// not be sent to a client. Allocates nothing for ASCII, because every request for a file asks.
    public static boolean isProtected(String path) {
        return hasPrivateSegment(path, path.length()) || isPageSource(path);
    }

    /// Returns whether a path names the source of a JSP page, of a part of one, or of a tag file, in
    /// any spelling as above. It is never the content of an answer.
    public static boolean isPageSource(String path) {
        int end = path.length();
        while (end > 0 && path.charAt(end - 1) == '/') {
            end--;
        }
        int from = Math.max(path.lastIndexOf('/', end - 1), path.lastIndexOf('\\', end - 1)) + 1;
        if (NameFolding.isAscii(path, from, end)) {
            return hasPageExtension(path, from, end);
        }
        String name = NameFolding.folded(path.substring(from, end));
        return hasPageExtension(name, 0, name.length());
    }

    private static boolean hasPageExtension(String path, int from, int to) {
        int end = nameEnd(path, from, to);
        for (String extension : PAGE_EXTENSIONS) {
            if (hasExtension(extension, path, from, end)) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasExtension(String extension, String path, int from, int end) {
        int start = end - extension.length();
        return start >= from
                && path.regionMatches(
                        /* ignoreCase= */ true, start, extension, 0, extension.length());
    }

    /// Returns whether a path begins with WEB-INF or META-INF, in any spelling as above. Clients
    /// must not reach a servlet there, such as one that shows the templates in these folders.
    public static boolean isInPrivateFolder(String path) {
        int end = path.indexOf('/', 1);
        return hasPrivateSegment(path, end < 0 ? path.length() : end);
    }

    private static boolean hasPrivateSegment(String path, int to) {
        int from = 0;
        for (int i = 0; i < to; i++) {
            char c = path.charAt(i);
            if (c == '/' || c == '\\') {
                if (isPrivateSegment(path, from, i)) {
                    return true;
                }
                from = i + 1;
            }
        }
        return isPrivateSegment(path, from, to);
    }

    private static boolean isPrivateSegment(String path, int from, int to) {
        if (NameFolding.isAscii(path, from, to)) {
            return isPrivate(path, from, to);
        }
        String name = NameFolding.folded(path.substring(from, to));
        return isPrivate(name, 0, name.length());
    }

    /// Returns whether the segment `path[from, to)` is a private name, without parameters, stream
    /// names, and the final dots and spaces that some file systems drop.
    private static boolean isPrivate(String path, int from, int to) {
        int end = nameEnd(path, from, to);
        return is(WEB_INF, path, from, end) || is(META_INF, path, from, end);
    }

    /// Returns the end of the name in the segment `path[from, to)`, without what is dropped.
    private static int nameEnd(String path, int from, int to) {
        int end = from;
        while (end < to && path.charAt(end) != ';' && path.charAt(end) != ':') {
            end++;
        }
        while (end > from && (path.charAt(end - 1) == '.' || path.charAt(end - 1) == ' ')) {
            end--;
        }
        return end;
    }

    private static boolean is(String name, String path, int from, int end) {
        return end - from == name.length()
                && path.regionMatches(/* ignoreCase= */ true, from, name, 0, name.length());
    }

    private static @Nullable AppFile find(Layer layer, String path) {
        @Nullable Path target = resolve(layer, path);
        if (target == null) {
            return null;
        }
        try {
            FileSystemProvider provider = target.getFileSystem().provider();
            if (provider.readAttributesIfExists(target, BasicFileAttributes.class) == null) {
                return null; // without an exception, so that many missing paths cost little
            }
            // The name as the file system spells it: it may fold case, we never do.
            Path spelled = target.toRealPath(LinkOption.NOFOLLOW_LINKS);
            Path real = target.toRealPath();
            boolean folder = Files.isDirectory(real);
            if (!spelled.toString().equals(target.toString())
                    || !real.startsWith(layer.root)
                    || (!folder && (path.endsWith("/") || !Files.isRegularFile(real)))) {
                return null;
            }
            return new AppFile(target, folder, layer.jar);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "A file was not found", e);
            return null;
        }
    }

    /// Returns the place of a normalized path, or null if the path is not normalized.
    private static @Nullable Path resolve(Layer layer, String path) {
        if (!path.startsWith("/") || path.indexOf('\\') >= 0 || path.indexOf('\0') >= 0) {
            return null;
        }
        if (path.equals("/")) {
            return layer.root;
        }
        String relative = path.substring(1, path.endsWith("/") ? path.length() - 1 : path.length());
        for (String segment : relative.split("/", -1)) {
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
                return null;
            }
        }
        try {
            Path target = layer.root.resolve(relative);
            return target.startsWith(layer.root) ? target : null;
        } catch (InvalidPathException e) {
            LOG.log(Level.DEBUG, "The file system does not allow this name, so no file has it", e);
            return null;
        }
    }

    /// Returns whether the nearest existing parent of a missing file is inside the root.
    private static boolean staysInside(Layer layer, Path missing) {
        Path at = missing;
        while (at.getParent() != null && !Files.exists(at, LinkOption.NOFOLLOW_LINKS)) {
            at = at.getParent();
        }
        try {
            return at.toRealPath().startsWith(layer.root);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "A link leads nowhere", e);
            return false;
        }
    }
}
