package dev.serval.servlet.vault;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads and writes the file of one session ([RecordFormat]). One thread at a time changes a file;
/// another may write the time of the last use.
///
/// A change of a short session overwrites the older of its two records, which costs an eighth of a
/// new file under another name and its renaming. Stateless.
final class SessionFile {
    private static final Set<StandardOpenOption> NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    private static final Set<StandardOpenOption> CHANGE =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);

    /// Waits until the disk has what was written. Does nothing if the vault does not wait.
    interface Forcing {
        /// Forces a file or folder.
        void force(Path path, FileChannel open) throws IOException;
    }

    private SessionFile() {}

    /// Writes a new file. If that fails, there is none.
    ///
    /// @throws NoSuchFileException if its folder does not exist
    static void create(Path file, byte[] bytes, Forcing forcing) throws IOException {
        try (FileChannel out = FileChannel.open(file, NEW)) {
            write(out, bytes, 0);
            forcing.force(file, out);
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException | RuntimeException | Error e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    /// Writes zeros in the place of a short session.
    static void wipe(Path file) throws IOException {
        overwrite(file, new byte[RecordFormat.PAIR_BYTES], (_, _) -> {});
    }

    /// Writes the bytes of a short session into a file of zeros.
    static void overwrite(Path file, byte[] bytes, Forcing forcing) throws IOException {
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
            write(out, bytes, 0);
            forcing.force(file, out);
        }
    }

    /// Writes the record of a session over the older of two, and the time of its last use.
    ///
    /// @return false if nothing was written: there is no file that can be read, or not two slots in
    ///     it, or no whole record of this session
    static boolean update(Path file, StoredSession session, Forcing forcing) throws IOException {
        FileChannel opened;
        try {
            opened = FileChannel.open(file, CHANGE);
        } catch (IOException e) {
            return false;
        }
        try (FileChannel channel = opened) {
            RecordFormat.@Nullable Found before = newest(channel);
            if (before == null
                    || before.other() == 0
                    || !before.session().id().equals(session.id())) {
                return false;
            }
            write(channel, RecordFormat.record(session, before.sequence() + 1), before.other());
            write(channel, time(session.accessedMillis()), RecordFormat.USED_AT);
            forcing.force(file, channel);
            return true;
        }
    }

    private static RecordFormat.@Nullable Found newest(FileChannel channel) {
        try {
            return RecordFormat.newest(start(channel));
        } catch (IOException e) {
            return null;
        }
    }

    /// Returns the bytes that a file with two slots has at most.
    private static byte[] start(FileChannel channel) throws IOException {
        ByteBuffer start = ByteBuffer.allocate(RecordFormat.PAIR_BYTES);
        while (start.hasRemaining() && channel.read(start, start.position()) >= 0) {}
        return Arrays.copyOf(start.array(), start.position());
    }

    private static void write(FileChannel out, byte[] bytes, int at) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
            out.write(left, at + left.position());
        }
    }

    /// Records when the session was used last.
    static void touch(Path file, long usedMillis) throws IOException {
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
            write(out, time(usedMillis), RecordFormat.USED_AT);
        }
    }

    private static byte[] time(long millis) {
        return ByteBuffer.allocate(Long.BYTES).putLong(millis).array();
    }

    /// Returns the session.
    ///
    /// @param bytesMax longer files are damaged
    static StoredSession read(Path file, long bytesMax) throws IOException {
        long length = Files.size(file);
        if (length > bytesMax) {
            throw new DamagedSessionException("it has " + length + " bytes");
        }
        return RecordFormat.newest(Files.readAllBytes(file)).session();
    }

    /// Returns what the index needs of a file.
    ///
    /// @param length of the file
    /// @throws DamagedSessionException if that cannot be found out
    static RecordFormat.Summary summary(Path file, long length) throws IOException {
        try (FileChannel in = FileChannel.open(file)) {
            return RecordFormat.summary(start(in), length);
        }
    }
}
