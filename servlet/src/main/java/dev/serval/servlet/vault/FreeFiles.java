package dev.serval.servlet.vault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The files of short sessions that have ended, which new sessions take over. Renaming a file costs a
/// file system less than to delete one and to make another. Above all, ext4 looks at each inode that
/// was deleted in the last five seconds before it gives out one: with 900 logouts a second, a new file
/// took 0.5 ms of processor time.
///
/// A file stays in its folder, under a name that the next start deletes. Its content is overwritten at
/// once, so that nothing is left of a session that has ended. Any thread that may block.
final class FreeFiles implements AutoCloseable {
    /// The most files that are kept in a folder.
    static final int FOLDER_MAX = 16;

    private final String suffix;
    private final int max;
    private final Map<Path, Deque<Path>> byFolder = new HashMap<>(); // under the lock
    private int size; // under the lock
    private long made; // names; under the lock
    private boolean closed; // under the lock

    /// Creates the collection, which is empty.
    ///
    /// @param suffix of the names of files that the next start deletes
    /// @param max the most files
    FreeFiles(String suffix, int max) {
        this.suffix = suffix;
        this.max = max;
    }

    /// Takes the file of a session that has ended, if there is room.
    ///
    /// @return false if it is where it was, or there is none
    boolean keep(Path file) {
        Path folder = file.resolveSibling("");
        @Nullable Path free = reserved(folder);
        if (free == null) {
            return false;
        }
        boolean wiped = false;
        try {
            Files.move(file, free, StandardCopyOption.ATOMIC_MOVE);
            wiped = wipe(free);
        } catch (IOException e) {
            return false; // it is deleted in the usual way, which tells why it cannot be
        } finally {
            settle(folder, wiped ? free : null);
        }
        return true;
    }

    private static boolean wipe(Path free) {
        boolean wiped = false;
        try {
            SessionFile.wipe(free);
            wiped = true;
        } catch (IOException e) {
            return false; // such as an interrupt
        } finally {
            if (!wiped) {
                delete(free);
            }
        }
        return true;
    }

    private synchronized @Nullable Path reserved(Path folder) {
        Deque<Path> there = byFolder.computeIfAbsent(folder, _ -> new ArrayDeque<>());
        if (closed || size >= max || there.size() >= FOLDER_MAX) {
            return null;
        }
        size++;
        made++;
        return folder.resolve("free." + made + suffix);
    }

    /// Adds a file for which there is a place, or gives the place back.
    private void settle(Path folder, @Nullable Path free) {
        synchronized (this) {
            if (free != null && !closed) {
                byFolder.computeIfAbsent(folder, _ -> new ArrayDeque<>()).push(free);
                return;
            }
            size--;
        }
        if (free != null) {
            delete(free);
        }
    }

    /// Returns a file for a new session in the folder of `file`, which belongs to the caller; null if
    /// there is none.
    synchronized @Nullable Path take(Path file) {
        @Nullable Deque<Path> there = byFolder.get(file.resolveSibling(""));
        @Nullable Path free = there == null ? null : there.poll();
        size -= free == null ? 0 : 1;
        return free;
    }

    /// Returns how many files are kept.
    synchronized int size() {
        return size;
    }

    /// Deletes the files, and keeps no more.
    @Override
    public void close() {
        List<Path> left = new ArrayList<>();
        synchronized (this) {
            closed = true;
            byFolder.values().forEach(left::addAll);
            byFolder.clear();
            size -= left.size();
        }
        left.forEach(FreeFiles::delete);
    }

    /// Deletes a file that is not of use any more, at the next start if it cannot be done now.
    static void delete(Path free) {
        try {
            Files.deleteIfExists(free);
        } catch (IOException e) {
            return; // the next start deletes it
        }
    }
}
