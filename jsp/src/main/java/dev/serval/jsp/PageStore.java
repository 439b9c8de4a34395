package dev.serval.jsp;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import dev.serval.servlet.pages.PageException;
import dev.serval.servlet.pages.PageSetup;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.CodeSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The folder of one application's compiled pages. It is kept below the work folder by the content
/// of the application and the build of this engine, so that the next start compiles nothing. Any
/// thread.
///
/// A lock on a file keeps others out while the folder is in use. If the same application runs
/// twice, the second gets a temporary folder. When there is no room, folders that were not used for
/// longest are deleted.
final class PageStore implements AutoCloseable {
    private static final String LOCK = ".lock";
    private static final String TEMPORARY = "t-";

    private record Kept(Path folder, long bytes, FileTime lastUse) {}

    private final PageSetup app;
    private final PageLimits limits;
    private @Nullable Path folder;
    private @Nullable FileChannel lock;
    private boolean temporary;

    PageStore(PageSetup app, PageLimits limits) {
        this.app = app;
        this.limits = limits;
    }

    /// Returns a folder below that of the application, which exists.
    ///
    /// @throws PageException if it cannot be created
    synchronized Path folder(String name) throws PageException {
        try {
            @Nullable Path open = folder;
            if (open == null) {
                open = open();
                folder = open;
            }
            return Files.createDirectories(open.resolve(name));
        } catch (IOException e) {
            throw new PageException(
                    app.workFolder()
                            + ": the folder for compiled pages cannot be used ("
                            + e
                            + "): let the server write there",
                    e);
        }
    }

    private Path open() throws IOException {
        Path all = Files.createDirectories(app.workFolder().resolve("pages"));
        String name = app.key() + "-" + build();
        @Nullable FileChannel own = lock(all.resolve(name + LOCK));
        if (own == null) {
            temporary = true;
            name = TEMPORARY + Long.toString(System.nanoTime(), 36) + "-" + app.key().length();
            own = lock(all.resolve(name + LOCK));
        }
        lock = own;
        makeRoom(all, name);
        return Files.createDirectories(all.resolve(name));
    }

    /// Returns a name for the build of this engine, because another one may compile differently.
    private static String build() throws IOException {
        @Nullable CodeSource source = PageStore.class.getProtectionDomain().getCodeSource();
        try {
            if (source != null) {
                Path place = Path.of(source.getLocation().toURI());
                long time = Files.getLastModifiedTime(place).toMillis();
                return Long.toString(time, 36) + Long.toString(Files.size(place), 36);
            }
        } catch (URISyntaxException | IllegalArgumentException e) {
            return "0"; // not a file
        }
        return "0";
    }

    /// Locks a file.
    ///
    /// @return null if another has the lock
    private static @Nullable FileChannel lock(Path file) throws IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            @Nullable FileLock taken = channel.tryLock();
            if (taken != null) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
                return channel;
            }
        } catch (OverlappingFileLockException e) { // this process has it
            channel.close();
            return null;
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
        channel.close();
        return null;
    }

    /// Deletes folders that nobody uses: temporary ones, and the least recently used if there are
    /// too many or they are too large.
    private void makeRoom(Path all, String own) throws IOException {
        List<Kept> kept = kept(all);
        long bytes = 0;
        for (Kept each : kept) {
            bytes += each.bytes;
        }
        int count = kept.size();
        for (Kept each : kept) {
            String name = String.valueOf(each.folder.getFileName());
            boolean full = bytes > limits.storeMaxBytes() || count > limits.storesMax();
            if (!name.equals(own) && (full || name.startsWith(TEMPORARY)) && remove(each.folder)) {
                bytes -= each.bytes;
                count--;
            }
        }
    }

    private static List<Kept> kept(Path all) throws IOException {
        List<Kept> kept = new ArrayList<>();
        try (DirectoryStream<Path> folders =
                Files.newDirectoryStream(all, path -> Files.isDirectory(path))) {
            for (Path each : folders) {
                Path lock = lockOf(each);
                FileTime lastUse =
                        Files.exists(lock)
                                ? Files.getLastModifiedTime(lock)
                                : FileTime.fromMillis(0);
                kept.add(new Kept(each, size(each), lastUse));
            }
        }
        kept.sort(Comparator.comparing(Kept::lastUse));
        return kept;
    }

    private static long size(Path folder) throws IOException {
        long bytes = 0;
        try (Stream<Path> walk = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) walk.filter(Files::isRegularFile)::iterator) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    private static Path lockOf(Path folder) {
        return folder.resolveSibling(folder.getFileName() + LOCK);
    }

    /// Deletes a folder that is not in use.
    private boolean remove(Path unused) throws IOException {
        try (@Nullable FileChannel taken = lock(lockOf(unused))) {
            if (taken == null) {
                return false;
            }
            delete(unused);
            Files.deleteIfExists(lockOf(unused));
            return true;
        }
    }

    private void delete(Path tree) throws IOException {
        try (Stream<Path> walk = Files.walk(tree)) {
            for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            app.log().log(DEBUG, "A folder of compiled pages could not be deleted", e);
            throw e;
        }
    }

    @Override
    public synchronized void close() {
        @Nullable Path open = folder;
        try {
            if (open != null && temporary) {
                delete(open);
                Files.deleteIfExists(lockOf(open));
            }
            if (lock != null) {
                lock.close();
            }
        } catch (IOException e) {
            app.log().log(WARNING, "The folder of compiled pages could not be closed", e);
        }
        folder = null;
        lock = null;
    }
}
