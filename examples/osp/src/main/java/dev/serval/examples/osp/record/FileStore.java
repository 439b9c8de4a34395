package dev.serval.examples.osp.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Appends records to a text file, one line each. The first line names the fields.
///
/// A line that a crash has cut short is ended at the next start, so that it damages no other. A
/// write that fails is taken back, so that a repetition does not store a record twice. The file is
/// locked, because two writers would overwrite each other's records.
public final class FileStore implements RecordStore {
    private final Path file;
    private final SyncPolicy policy;
    private final FileChannel channel;
    private boolean unsynced;

    /// The position after the last record that was stored.
    private long end;

    /// Opens a file, and makes it if it does not exist. Then only its owner may read it.
    ///
    /// @throws IOException if it cannot be opened, or another store has it open
    public FileStore(Path file, SyncPolicy policy) throws IOException {
        this(file, policy, open(file));
    }

    /// Uses a channel that is open for reading and writing.
    FileStore(Path file, SyncPolicy policy, FileChannel channel) throws IOException {
        this.file = file;
        this.policy = policy;
        this.channel = channel;
        try {
            lock();
            begin();
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(
                file,
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    /// Locks the file until the channel is closed.
    private void lock() throws IOException {
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null; // by this process
        }
        if (lock == null) {
            throw new IOException(
                    file
                            + " is in use by another OSP server: stop that one, or give this one"
                            + " another --state folder.");
        }
    }

    private void begin() throws IOException {
        long size = channel.size();
        channel.position(size);
        if (size == 0) {
            write(
                    Arrays.stream(Field.values())
                            .map(Field::column)
                            .collect(Collectors.joining("\t", "", "\n")));
        } else {
            ByteBuffer last = ByteBuffer.allocate(1);
            channel.read(last, size - 1);
            if (last.get(0) != '\n') {
                write("\n");
            }
        }
        channel.force(true);
        end = channel.position();
    }

    @Override
    public void append(List<CallRecord> records) throws IOException {
        StringBuilder lines = new StringBuilder(records.size() * 300);
        for (CallRecord each : records) {
            lines.append(each.line());
        }
        if (channel.position() != end) {
            cut(); // the last failure could not be taken back
        }
        try {
            write(lines.toString());
            if (policy == SyncPolicy.ALWAYS) {
                channel.force(false);
            } else {
                unsynced = true;
            }
            end = channel.position();
        } catch (IOException | RuntimeException | Error e) {
            try {
                cut();
            } catch (IOException again) {
                e.addSuppressed(again);
            }
            throw e;
        }
    }

    /// Removes what is after the last record that was stored.
    private void cut() throws IOException {
        channel.truncate(end);
        channel.position(end);
    }

    @Override
    public void tick() throws IOException {
        if (policy == SyncPolicy.SECOND && unsynced) {
            channel.force(false);
            unsynced = false;
        }
    }

    @Override
    public String place() {
        return file.toString();
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            try {
                if (channel.position() != end) {
                    cut();
                }
            } finally {
                channel.force(true);
            }
        }
    }

    private void write(String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
