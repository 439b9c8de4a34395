package dev.serval.servlet.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// Unpacks archives. Jars in WEB-INF/lib stay jars. Stateless.
final class WarFile {
    private static final int THREADS_MAX = 4;
    private static final long PER_THREAD_BYTES = 2 << 20;

    private WarFile() {}

    /// Unpacks an archive into an empty folder.
    ///
    /// @param war the archive
    /// @param target an empty folder; incomplete after an exception
    /// @throws IOException if the archive is damaged, dangerous or above a limit. The message names
    ///     the archive and the entry
    static void unpack(Path war, Path target, ArchiveLimits limits) throws IOException {
        try (ZipArchive archive = ZipArchive.open(war, war.toString(), limits)) {
            check(archive, archive.entries(), new Budget(limits, archive.bytes()));
            write(archive, archive.entries(), target);
        }
    }

    /// Checks the names and declared sizes of entries before any is written.
    ///
    /// @param entries those entries of the archive that are wanted
    static void check(ZipArchive archive, List<ArchiveEntry> entries, Budget budget)
            throws IOException {
        for (ArchiveEntry entry : entries) {
            EntryNames.check(archive.name(), entry.name(), budget.limits());
            budget.add(archive.name(), entry);
        }
    }

    /// Writes checked entries into a folder.
    static void write(ZipArchive archive, List<ArchiveEntry> entries, Path target)
            throws IOException {
        for (String folder : EntryNames.folders(archive.name(), entries)) {
            Files.createDirectories(target.resolve(folder));
        }
        int threads = threads(entries);
        if (threads == 1) {
            copyAll(archive, entries, target, new AtomicInteger(), new AtomicBoolean());
        } else {
            copyAll(archive, entries, target, threads);
        }
    }

    private static int threads(List<ArchiveEntry> entries) {
        long bytes = 0;
        for (ArchiveEntry entry : entries) {
            bytes += entry.packedBytes();
        }
        int cpus = Math.min(THREADS_MAX, Runtime.getRuntime().availableProcessors());
        return Math.clamp(bytes / PER_THREAD_BYTES, 1, cpus);
    }

    private static void copyAll(
            ZipArchive archive, List<ArchiveEntry> entries, Path target, int threads)
            throws IOException {
        AtomicInteger next = new AtomicInteger();
        AtomicBoolean failed = new AtomicBoolean();
        List<Future<?>> parts = new ArrayList<>();
        try (ExecutorService pool =
                Executors.newFixedThreadPool(
                        threads,
                        Thread.ofPlatform().daemon().name("serval-unpack-", 0).factory())) {
            for (int i = 0; i < threads; i++) {
                parts.add(
                        pool.submit(() -> {
                            copyAll(archive, entries, target, next, failed);
                            return null;
                        }));
            }
        }
        for (Future<?> part : parts) {
            join(part);
        }
    }

    /// Rethrows what a thread has thrown.
    private static void join(Future<?> part) throws IOException {
        try {
            part.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Unpacking was interrupted", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(cause.getMessage(), cause);
        }
    }

    /// Copies entries until none is left or another thread has failed.
    private static void copyAll(
            ZipArchive archive,
            List<ArchiveEntry> entries,
            Path target,
            AtomicInteger next,
            AtomicBoolean failed)
            throws IOException {
        try (EntryCopier copier = new EntryCopier(archive)) {
            for (int i = next.getAndIncrement();
                    i < entries.size() && !failed.get();
                    i = next.getAndIncrement()) {
                ArchiveEntry entry = entries.get(i);
                if (!entry.folder()) { // folders are there already
                    copier.copy(entry, target.resolve(entry.name()));
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            failed.set(true);
            throw e;
        }
    }
}
