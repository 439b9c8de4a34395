package dev.serval.servlet.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;

/// The attributes by which a file is known to be unchanged: device, inode, size, and the times of
/// the last write and the last change. The time of change cannot be set by `touch` or `cp -p`, so a
/// changed file always has another mark, once the mark is older than the clock's tick. Immutable.
///
/// @param text the attributes
/// @param changed the later of both times
/// @param exact whether the file system has all attributes; if not, the mark proves nothing
record SourceMark(String text, Instant changed, boolean exact) {
    /// The coarsest clock of a file system: FAT has 2 s.
    private static final Duration TICK = Duration.ofSeconds(2);

    /// Reads the mark of a file.
    static SourceMark of(Path file) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        Instant written = attributes.lastModifiedTime().toInstant();
        if (!file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return new SourceMark(attributes.size() + " " + written, written, false);
        }
        Instant changed = ((FileTime) Files.getAttribute(file, "unix:ctime")).toInstant();
        String text =
                Files.getAttribute(file, "unix:dev")
                        + " "
                        + Files.getAttribute(file, "unix:ino")
                        + " "
                        + attributes.size()
                        + " "
                        + written
                        + " "
                        + changed;
        return new SourceMark(text, written.isAfter(changed) ? written : changed, true);
    }

    /// Returns whether a later write must give the file another mark.
    boolean isSettled(Instant now) {
        return exact && changed.plus(TICK).isBefore(now);
    }
}
