package dev.serval.log;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Knows whether the first line that waits for a [LogFile] has a part in a file already, because the
/// disk took no more, and in which file. Owned by the writer's thread.
final class TornLine {
    private @Nullable Object file; // that was opened last
    private @Nullable Object fileOfPart;
    private boolean torn;

    /// Notes that a file was opened.
    ///
    /// @param identity what the file has in common with no other, such as its inode
    void opened(@Nullable Object identity) {
        file = identity;
    }

    /// Returns whether this file was opened last.
    boolean isOpen(@Nullable Object identity) {
        return Objects.equals(file, identity);
    }

    /// Notes how far lines were written.
    ///
    /// @param lines whose position is the end of what was written; at 0 nothing has changed
    void written(ByteBuffer lines) {
        int end = lines.position();
        if (end > 0) {
            torn = lines.get(end - 1) != '\n';
            fileOfPart = file;
        }
    }

    /// Notes that the line is whole, or that its rest was dropped.
    void ended() {
        torn = false;
    }

    /// Returns whether there is such a part, but in another file than the present one.
    ///
    /// @param empty whether the present file is empty
    boolean isElsewhere(boolean empty) {
        return torn && (empty || !Objects.equals(file, fileOfPart));
    }
}
