package dev.serval.servlet.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One unpacked application in a work folder: its files, the resources of its jars, an index of
/// both, and marks of the archives that it came from. Used under the folder's lock.
///
/// The index lists every file with its size and the time of its last write. It is checked before an
/// entry is used again. After a power failure, or after a cleaner of temporary folders, files may
/// be missing or empty. An application may also have changed its own files.
///
/// @param folder the entry's folder, named by its key
record WorkEntry(Path folder) {
    private static final String FORMAT = "serval-work 1";
    private static final int MARKS_MAX = 8;

    /// Returns the folder of the unpacked archive.
    Path files() {
        return folder.resolve("files");
    }

    /// Returns the folder of the jars' resources.
    Path resources() {
        return folder.resolve("resources");
    }

    private Path index() {
        return folder.resolve("index");
    }

    private Path marksFile() {
        return folder.resolve("marks");
    }

    /// Returns the name of the entry: its hash, and a number if there are several.
    String key() {
        return String.valueOf(folder.getFileName());
    }

    /// Returns the hash of the content in hexadecimal.
    String hash() {
        String key = key();
        int dash = key.indexOf('-');
        return dash < 0 ? key : key.substring(0, dash);
    }

    /// Writes the index of a complete entry.
    void writeIndex() throws IOException {
        StringBuilder lines = new StringBuilder();
        long bytes = 0;
        for (Path tree : List.of(files(), resources())) {
            if (!Files.isDirectory(tree)) {
                continue;
            }
            try (Stream<Path> walk = Files.walk(tree)) {
                for (Path file : (Iterable<Path>) walk.filter(Files::isRegularFile)::iterator) {
                    BasicFileAttributes attributes =
                            Files.readAttributes(file, BasicFileAttributes.class);
                    bytes += attributes.size();
                    lines.append(state(attributes)).append(folder.relativize(file)).append('\n');
                }
            }
        }
        Files.writeString(index(), FORMAT + " " + bytes + "\n" + lines);
    }

    /// Returns the size of all files by the index; 0 if it has no index.
    long bytes() throws IOException {
        if (!Files.isRegularFile(index())) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(index())) {
            String head = lines.findFirst().orElse("");
            return head.matches(FORMAT + " [0-9]{1,18}")
                    ? Long.parseLong(head.substring(FORMAT.length() + 1))
                    : 0;
        }
    }

    /// Returns whether every file of the index is there as it was written.
    boolean isIntact() throws IOException {
        List<String> lines = indexed();
        return !lines.isEmpty() && changed(lines) == null;
    }

    /// Returns the first file of the index that is not there as it was written; null if there is
    /// none, or no index.
    @Nullable Path changed() throws IOException {
        return changed(indexed());
    }

    /// Returns the lines of the index; none if it is missing or has another format.
    private List<String> indexed() throws IOException {
        if (!Files.isRegularFile(index())) {
            return List.of();
        }
        List<String> lines = Files.readAllLines(index());
        return lines.isEmpty() || !lines.getFirst().startsWith(FORMAT + " ") ? List.of() : lines;
    }

    private @Nullable Path changed(List<String> lines) throws IOException {
        for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
            int second = line.indexOf(' ', line.indexOf(' ') + 1) + 1;
            if (second == 0) {
                return index();
            }
            Path file = folder.resolve(line.substring(second));
            if (!isStill(file, line.substring(0, second))) {
                return file;
            }
        }
        return null;
    }

    private static boolean isStill(Path file, String state) throws IOException {
        @Nullable BasicFileAttributes attributes =
                file.getFileSystem()
                        .provider()
                        .readAttributesIfExists(
                                file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return attributes != null && attributes.isRegularFile() && state.equals(state(attributes));
    }

    /// Returns the size and the time of the last write, each with a space behind it.
    private static String state(BasicFileAttributes attributes) {
        long written = attributes.lastModifiedTime().to(TimeUnit.MICROSECONDS);
        return attributes.size() + " " + written + " ";
    }

    /// Returns the marks of archives that have this content, the newest first.
    List<String> marks() throws IOException {
        return Files.isRegularFile(marksFile()) ? Files.readAllLines(marksFile()) : List.of();
    }

    /// Adds the mark of an archive, so that it need not be hashed again.
    void addMark(String mark, Path temporary) throws IOException {
        List<String> marks = new ArrayList<>(marks());
        marks.remove(mark);
        marks.addFirst(mark);
        Files.write(temporary, marks.subList(0, Math.min(MARKS_MAX, marks.size())));
        Files.move(temporary, marksFile(), StandardCopyOption.ATOMIC_MOVE);
    }

    /// Returns the time of the last use.
    Instant lastUse() throws IOException {
        return Files.getLastModifiedTime(folder).toInstant();
    }

    /// Sets the time of the last use.
    void used(Instant now) throws IOException {
        Files.setLastModifiedTime(folder, FileTime.from(now));
    }
}
