package dev.serval.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a file was like when it was read. It is another one if any of this has changed. Immutable.
///
/// @param key of the file in its file system; null if there is none
/// @param modifiedMillis its time of change
/// @param bytes its size; -1 if there is no such file
public record FileStamp(Path file, @Nullable Object key, long modifiedMillis, long bytes) {
    /// Looks at a file.
    public static FileStamp of(Path file) {
        try {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            return new FileStamp(
                    file, now.fileKey(), now.lastModifiedTime().toMillis(), now.size());
        } catch (IOException e) { // such as in the middle of a replacement
            return new FileStamp(file, null, 0, -1);
        }
    }

    /// Looks at those files that are there.
    ///
    /// @param files null for one that is not configured
    public static List<FileStamp> of(List<@Nullable Path> files) {
        List<FileStamp> stamps = new ArrayList<>();
        for (@Nullable Path file : files) {
            if (file != null) {
                stamps.add(of(file));
            }
        }
        return List.copyOf(stamps);
    }
}
