package dev.serval.servlet.archive;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/// Checks names of entries: each by itself, and all together as one tree. A name that passes leads
/// to one place below the target folder on every operating system. Stateless.
final class EntryNames {
    private static final int SEGMENT_MAX_BYTES = 255;

    private EntryNames() {}

    /// Checks one name.
    ///
    /// @throws IOException if the name could lead out of the target folder, or is too long
    static void check(String archive, String name, ArchiveLimits limits) throws IOException {
        if (name.isEmpty()) {
            throw Fault.of(archive, name, "has no name");
        }
        if (name.indexOf('\\') >= 0) {
            throw Fault.of(
                    archive,
                    name,
                    "has a backslash in its name, which some systems read as a folder separator:"
                            + " pack the archive with \"/\"");
        }
        if (name.charAt(0) == '/' || drive(name)) {
            throw Fault.of(
                    archive, name, "has an absolute path, which leads out of the application");
        }
        for (int i = 0; i < name.length(); i++) {
            if (Character.isISOControl(name.charAt(i))) {
                throw Fault.of(archive, name, "has a control character in its name");
            }
        }
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > limits.pathMaxBytes()) {
            throw Fault.of(
                    archive,
                    name,
                    "has a name of "
                            + bytes
                            + " bytes, above the limit pathMaxBytes of "
                            + limits.pathMaxBytes());
        }
        checkSegments(archive, name, limits);
    }

    private static boolean drive(String name) {
        return name.length() >= 2 && name.charAt(1) == ':' && Character.isLetter(name.charAt(0));
    }

    private static void checkSegments(String archive, String name, ArchiveLimits limits)
            throws IOException {
        String path = name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
        String[] segments = path.split("/", -1);
        if (segments.length > limits.depthMax()) {
            throw Fault.of(
                    archive,
                    name,
                    "has a path of "
                            + segments.length
                            + " segments, above the limit depthMax of "
                            + limits.depthMax());
        }
        for (String segment : segments) {
            if (segment.equals("..")) {
                throw Fault.of(
                        archive,
                        name,
                        "has \"..\" in its path, which leads out of the application");
            }
            if (segment.isEmpty() || segment.equals(".")) {
                throw Fault.of(archive, name, "has an empty segment or \".\" in its path");
            }
            if (segment.getBytes(StandardCharsets.UTF_8).length > SEGMENT_MAX_BYTES) {
                throw Fault.of(
                        archive, name, "has a file name above " + SEGMENT_MAX_BYTES + " bytes");
            }
        }
    }

    /// Checks that the names form one tree, and returns its folders without a slash at the end,
    /// parents first. A folder may be named twice, because some build tools do so and nothing
    /// depends on it.
    ///
    /// @throws IOException if two entries have the same name, or one is both a file and a folder
    static SortedSet<String> folders(String archive, List<ArchiveEntry> entries)
            throws IOException {
        Map<String, ArchiveEntry> files = new HashMap<>(entries.size() * 2);
        SortedSet<String> folders = new TreeSet<>();
        for (ArchiveEntry entry : entries) {
            String name = entry.name();
            if (!entry.folder() && files.put(name, entry) != null) {
                throw Fault.of(
                        archive,
                        name,
                        "is there twice, so it is not clear which one is meant: pack the archive"
                                + " without duplicates");
            }
            addFolders(name, folders);
        }
        for (String folder : folders) {
            if (files.containsKey(folder)) {
                throw Fault.of(archive, folder, "is both a file and a folder");
            }
        }
        return folders;
    }

    private static void addFolders(String name, SortedSet<String> folders) {
        int slash = name.lastIndexOf('/');
        while (slash > 0 && folders.add(name.substring(0, slash))) {
            slash = name.lastIndexOf('/', slash - 1);
        }
    }
}
