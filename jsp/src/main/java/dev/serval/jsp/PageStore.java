package dev.serval.jsp;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import dev.serval.servlet.pages.PageException;
import dev.serval.servlet.pages.PageSetup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
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
/// A lease keeps others out while the folder is in use. If the same application runs twice, the
/// second gets a temporary folder. When there is no room, folders that were not used for longest are
/// deleted.
final class PageStore implements AutoCloseable {
    private static final String TEMPORARY = "t-";

    record Kept(Path folder, long bytes, FileTime lastUse) {}

    private final PageSetup app;
    private final PageLimits limits;
    private @Nullable Path folder;
    private StoreLeases.@Nullable Lease lease;
    private boolean temporary;
    private boolean closed;

    PageStore(PageSetup app, PageLimits limits) {
        this.app = app;
        this.limits = limits;
    }

    /// Returns a folder below that of the application, which exists.
    ///
    /// @throws PageException if it cannot be created, or the application has stopped
    synchronized Path folder(String name) throws PageException {
        if (closed) {
            throw new PageException("The application has stopped", null);
        }
        try {
            if (folder == null) {
                folder = open();
            }
            return Files.createDirectories(folder.resolve(name));
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
        StoreLeases leases = new StoreLeases(all);
        return leases.exclusively(() -> {
            String name = app.key() + "-" + build();
            temporary = leases.isTaken(name);
            if (temporary) {
                name = TEMPORARY + Long.toString(System.nanoTime(), 36);
            }
            StoreLeases.Lease own = leases.take(name);
            try {
                Path opened = Files.createDirectories(all.resolve(name));
                Files.setLastModifiedTime(opened, FileTime.from(Instant.now()));
                makeRoom(all, leases, name);
                lease = own;
                return opened;
            } catch (IOException | RuntimeException | Error e) {
                own.close();
                throw e;
            }
        });
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

    /// Deletes folders that are not in use: temporary ones, and the least recently used if there are
    /// too many or they are too large. An application starts even if that fails.
    private void makeRoom(Path all, StoreLeases leases, String own) {
        List<Kept> kept = kept(all, leases);
        long bytes = 0;
        for (Kept each : kept) {
            bytes += each.bytes;
        }
        int count = kept.size();
        for (Kept each : kept) {
            String name = String.valueOf(each.folder.getFileName());
            boolean full = bytes > limits.storeMaxBytes() || count > limits.storesMax();
            if (!name.equals(own)
                    && (full || name.startsWith(TEMPORARY))
                    && remove(each.folder, leases)) {
                bytes -= each.bytes;
                count--;
            }
        }
    }

    private List<Kept> kept(Path all, StoreLeases leases) {
        List<Kept> kept = new ArrayList<>();
        try {
            leases.sweep();
        } catch (IOException | DirectoryIteratorException e) {
            app.log().log(DEBUG, "Leases of dead servers could not be deleted", e);
        }
        try (DirectoryStream<Path> folders =
                Files.newDirectoryStream(all, path -> Files.isDirectory(path))) {
            for (Path each : folders) {
                @Nullable Kept present = present(each);
                if (present != null) {
                    kept.add(present);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            app.log().log(
                    WARNING, "The folders of compiled pages in " + all + " cannot be read", e);
        }
        kept.sort(Comparator.comparing(Kept::lastUse));
        return kept;
    }

    /// Returns what a folder has; null if another engine has just deleted it.
    static @Nullable Kept present(Path folder) throws IOException {
        try {
            return new Kept(folder, size(folder), Files.getLastModifiedTime(folder));
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /// Returns the bytes of all files. Another engine may create and delete files meanwhile.
    private static long size(Path folder) throws IOException {
        Size size = new Size();
        Files.walkFileTree(folder, size);
        return size.bytes;
    }

    /// Adds the sizes of files, without those that have just been deleted.
    private static final class Size extends SimpleFileVisitor<Path> {
        private long bytes;

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            bytes += attributes.size();
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path path, @Nullable IOException e) {
            return FileVisitResult.CONTINUE;
        }
    }

    /// Deletes a folder that is not in use.
    ///
    /// @return whether it was deleted
    private boolean remove(Path unused, StoreLeases leases) {
        try {
            if (leases.isTaken(String.valueOf(unused.getFileName()))) {
                return false;
            }
            delete(unused);
            return true;
        } catch (IOException | UncheckedIOException e) {
            app.log().log(WARNING, "Compiled pages in " + unused + " could not be deleted", e);
            return false;
        }
    }

    private static void delete(Path tree) throws IOException {
        try (Stream<Path> walk = Files.walk(tree)) {
            for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        try (StoreLeases.@Nullable Lease _ = lease) {
            if (folder != null && temporary) {
                delete(folder);
            }
        } catch (IOException | UncheckedIOException e) {
            app.log().log(DEBUG, "A temporary folder of compiled pages could not be deleted", e);
        }
        folder = null;
        lease = null;
    }
}
