package dev.serval.log;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/// The former files of a log: `access.log.1`, which is the newest, `access.log.2` and so on, or with
/// `.gz`. One file is compressed at a time, on a thread of its own. Owned by the writer's thread.
final class FormerFiles {
    private static final System.Logger LOG = System.getLogger(FormerFiles.class.getName());
    private static final String COMPRESSED = ".gz";
    private static final String UNFINISHED = ".gz.tmp";
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int MEMBERS_MAX = 16;
    private static final long END_MILLIS = 10_000;

    private final Path path;
    private final LogDisk disk;
    private @Nullable Thread compression;

    /// @param disk creates the files that are compressed
    FormerFiles(Path path, LogDisk disk) {
        this.path = path;
        this.disk = disk;
    }

    /// Returns whether the newest one is being compressed, so that it cannot be renamed.
    boolean isCompressing() {
        return compression != null && compression.isAlive();
    }

    /// Renames the log, which is closed, and removes the oldest.
    ///
    /// @throws IOException if that is not possible
    void add(Rotation rotation) throws IOException {
        if (rotation.kept() == 0) {
            Files.deleteIfExists(path);
            return;
        }
        for (int i = oldest(rotation.kept()); i >= 1; i--) {
            for (String kind : new String[] {"", COMPRESSED}) {
                Path from = numbered(i, kind);
                if (i >= rotation.kept()) {
                    Files.deleteIfExists(from);
                } else if (Files.exists(from)) {
                    move(from, numbered(i + 1, kind));
                }
            }
        }
        Path newest = numbered(1, "");
        move(path, newest);
        if (rotation.compressed()) {
            compression =
                    Thread.ofPlatform()
                            .name("serval-log-gzip")
                            .daemon()
                            .start(() -> compress(newest));
        }
    }

    /// Waits for a compression in progress, for some seconds. Without it, the file stays as it is.
    void awaitCompression() {
        @Nullable Thread running = compression;
        if (running != null) {
            try {
                running.join(END_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Returns the number of the oldest file. There may be more than are kept after a change of the
    /// settings.
    private int oldest(int kept) {
        int i = kept;
        while (i < Rotation.KEPT_MAX
                && (Files.exists(numbered(i + 1, ""))
                        || Files.exists(numbered(i + 1, COMPRESSED)))) {
            i++;
        }
        return i;
    }

    private Path numbered(int i, String kind) {
        return path.resolveSibling(path.getFileName() + "." + i + kind);
    }

    private static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }

    /// Compresses a file, and lines that another process, such as a successor, appends meanwhile: each
    /// time as a further member (RFC 1952 §2.2). What is appended after the last look is lost.
    private void compress(Path file) {
        Path unfinished = file.resolveSibling(file.getFileName() + UNFINISHED);
        Path finished = file.resolveSibling(file.getFileName() + COMPRESSED);
        try (FileChannel in = FileChannel.open(file)) {
            addMember(in, disk.created(unfinished));
            for (int i = 0; in.position() < in.size(); i++) {
                if (i == MEMBERS_MAX) {
                    throw new IOException("Another process still writes it");
                }
                addMember(in, disk.appended(unfinished));
            }
            Files.move(unfinished, finished, StandardCopyOption.REPLACE_EXISTING);
            Files.delete(file);
        } catch (IOException e) { // such as a full disk: the file stays as it is
            LOG.log(WARNING, "The former access log " + file + " was not compressed: " + e);
            try {
                Files.deleteIfExists(unfinished);
            } catch (IOException again) {
                LOG.log(WARNING, unfinished + " could not be removed: " + again);
            }
        }
    }

    /// Compresses what is left to read.
    private static void addMember(FileChannel in, OutputStream to) throws IOException {
        try (to;
                OutputStream gzip = new GZIPOutputStream(to, BUFFER_BYTES)) {
            long _ = Channels.newInputStream(in).transferTo(gzip);
        }
    }
}
