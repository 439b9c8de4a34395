package dev.serval.servlet.files;

import dev.serval.servlet.scan.ScanCache;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Keeps values in a folder, one file each, also after the server has stopped. Several threads and
/// servers may use one folder: a file is written under a temporary name and renamed when it is
/// complete.
///
/// A file that is damaged is deleted and counts as absent. Each file holds a magic number, the
/// length of the value, a checksum of key and value, and the value. When there is no room, the files
/// that were not used for longest are deleted. With several servers, each may exceed the limits by
/// an eighth, because each counts only its own writes between two looks at the folder.
public final class FileScanCache implements ScanCache {
    private static final int MAGIC = 0x53564331; // "SVC1"
    private static final int HEAD_BYTES = 12;
    private static final int KEY_MAX_CHARS = 128;
    private static final String PREFIX = "k-";
    private static final String TEMPORARY = "t-";
    private static final int MARGIN_PARTS = 8;

    /// No write takes so long, so an older temporary file is from a server that crashed.
    private static final Duration TEMPORARY_MAX_AGE = Duration.ofHours(1);

    /// A file and its last use.
    private record Kept(Path file, long bytes, Instant lastUse) {}

    private final Path folder;
    private final FileScanLimits limits;
    private final InstantSource clock;
    private long bytesLeft; // that may be written before the next look at the folder
    private int entriesLeft;

    private FileScanCache(Path folder, FileScanLimits limits, InstantSource clock) {
        this.folder = folder;
        this.limits = limits;
        this.clock = clock;
    }

    /// Opens a folder, or creates it.
    ///
    /// @param clock wall clock, comparable with the file system's times
    public static FileScanCache open(Path folder, FileScanLimits limits, InstantSource clock)
            throws IOException {
        Files.createDirectories(folder);
        return new FileScanCache(folder, limits, clock);
    }

    @Override
    public byte @Nullable [] read(String key) throws IOException {
        Path file = file(key);
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(HEAD_BYTES + limits.entryMaxBytes() + 1);
        } catch (NoSuchFileException e) {
            return null;
        }
        byte @Nullable [] value = value(key, bytes);
        if (value == null) {
            Files.deleteIfExists(file);
        } else {
            markUsed(file);
        }
        return value;
    }

    private void markUsed(Path file) throws IOException {
        try {
            Files.setLastModifiedTime(file, FileTime.from(clock.instant()));
        } catch (NoSuchFileException e) {
            return; // another server has deleted it meanwhile; the value is valid
        }
    }

    @Override
    public void write(String key, byte[] value) throws IOException {
        Path file = file(key);
        if (value.length > limits.entryMaxBytes()) {
            return;
        }
        ByteBuffer whole = ByteBuffer.allocate(HEAD_BYTES + value.length);
        whole.putInt(MAGIC).putInt(value.length).putInt(checksum(key, value)).put(value);
        makeRoom(whole.capacity());
        Path temporary = Files.createTempFile(folder, TEMPORARY, "");
        try {
            Files.write(temporary, whole.array());
            Files.setLastModifiedTime(temporary, FileTime.from(clock.instant()));
            Files.move(
                    temporary,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private Path file(String key) {
        boolean valid =
                !key.isEmpty()
                        && key.length() <= KEY_MAX_CHARS
                        && key.chars().allMatch(FileScanCache::isKeyChar);
        if (!valid) {
            throw new IllegalArgumentException(
                    "A key has 1 to "
                            + KEY_MAX_CHARS
                            + " letters, digits, dots and hyphens, not \""
                            + key
                            + "\"");
        }
        return folder.resolve(PREFIX + key);
    }

    private static boolean isKeyChar(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '.'
                || c == '-';
    }

    /// Returns the value of a file; null if the file is damaged.
    private static byte @Nullable [] value(String key, byte[] bytes) {
        ByteBuffer whole = ByteBuffer.wrap(bytes);
        if (bytes.length < HEAD_BYTES
                || whole.getInt() != MAGIC
                || whole.getInt() != bytes.length - HEAD_BYTES) {
            return null;
        }
        int sum = whole.getInt();
        byte[] value = new byte[whole.remaining()];
        whole.get(value);
        return sum == checksum(key, value) ? value : null;
    }

    private static int checksum(String key, byte[] value) {
        CRC32C sum = new CRC32C();
        sum.update(key.getBytes(StandardCharsets.US_ASCII));
        sum.update(value);
        return (int) sum.getValue();
    }

    /// Counts a write, and looks at the folder if this server's writes may have filled it.
    private synchronized void makeRoom(int bytes) throws IOException {
        if (bytesLeft < bytes || entriesLeft < 1) {
            long bytesMargin = Math.max(bytes, limits.maxBytes() / MARGIN_PARTS);
            int entriesMargin = Math.max(1, limits.entriesMax() / MARGIN_PARTS);
            evict(limits.maxBytes() - bytesMargin, limits.entriesMax() - entriesMargin);
            bytesLeft = bytesMargin;
            entriesLeft = entriesMargin;
        }
        bytesLeft -= bytes;
        entriesLeft--;
    }

    /// Deletes the files that were not used for longest, until the others are within the limits.
    private void evict(long maxBytes, int entriesMax) throws IOException {
        List<Kept> all = kept();
        long bytes = all.stream().mapToLong(Kept::bytes).sum();
        int entries = all.size();
        for (Kept one : all) {
            if (bytes <= maxBytes && entries <= entriesMax) {
                return;
            }
            Files.deleteIfExists(one.file());
            bytes -= one.bytes();
            entries--;
        }
    }

    /// Returns all files, the least recently used first, and deletes what crashed servers have left.
    private List<Kept> kept() throws IOException {
        Instant stale = clock.instant().minus(TEMPORARY_MAX_AGE);
        List<Kept> kept = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                @Nullable Kept one = look(file);
                if (one != null && file.getFileName().toString().startsWith(PREFIX)) {
                    kept.add(one);
                } else if (one != null && one.lastUse().isBefore(stale)) {
                    Files.deleteIfExists(file);
                }
            }
        }
        kept.sort(Comparator.comparing(Kept::lastUse));
        return kept;
    }

    private static @Nullable Kept look(Path file) throws IOException {
        try {
            BasicFileAttributes facts = Files.readAttributes(file, BasicFileAttributes.class);
            return new Kept(file, facts.size(), facts.lastModifiedTime().toInstant());
        } catch (NoSuchFileException e) {
            return null; // another server has deleted or renamed it
        }
    }
}
