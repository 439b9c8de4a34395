package dev.serval.file;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Imitates the default file system with the faults of a broken disk: attributes that cannot be
/// read, and files that cannot be opened.
final class FaultyDisk extends FileSystemProvider {
    private final FileSystem system = new Disk();
    private int failOpens;
    private boolean denyOpens;
    private @Nullable String brokenName;
    private @Nullable String deniedName;
    private @Nullable String refusedName;
    private int looks;
    private int attributesRead;
    private Runnable onOpen = () -> {};
    private int changedLook;
    private Runnable onLook = () -> {};

    /// Returns that path of the default file system on this disk.
    Path on(Path real) {
        return (Path)
                Proxy.newProxyInstance(
                        FaultyDisk.class.getClassLoader(),
                        new Class<?>[] {Path.class},
                        (_, method, arguments) -> call(real, method, arguments));
    }

    /// Makes the next `times` attempts to open a file fail, as if no file descriptor were left.
    void failOpens(int times) {
        failOpens = times;
    }

    /// Denies every open from now on; looks still succeed.
    void denyOpens() {
        denyOpens = true;
    }

    /// Makes every look at paths with that name fail from now on; null for none.
    void breakName(@Nullable String name) {
        brokenName = name;
    }

    /// Denies this process from now on to look at, or open, paths with that name and everything
    /// below them.
    void deny(String name) {
        deniedName = name;
    }

    /// Makes paths with that name impossible from now on; null for none.
    void refuseName(@Nullable String name) {
        refusedName = name;
    }

    /// Calls `change` whenever a file is opened, between the look at its attributes and the
    /// reading.
    void onOpen(Runnable change) {
        onOpen = change;
    }

    /// Calls `change` before the links of a path are followed for the time with this number, from 1.
    void onLook(int number, Runnable change) {
        changedLook = number;
        onLook = change;
    }

    /// Returns how often a path's links were followed. Each look follows them twice, for root and
    /// file, and twice again after reading.
    int looks() {
        return looks;
    }

    /// Returns how often the attributes of a path were read, also of one that does not exist.
    int attributesRead() {
        return attributesRead;
    }

    private @Nullable Object call(Path real, Method method, Object @Nullable [] arguments)
            throws Throwable {
        switch (method.getName()) {
            case "getFileSystem" -> {
                return system;
            }
            case "resolve" -> {
                if (arguments != null && arguments[0].equals(refusedName)) {
                    throw new InvalidPathException(String.valueOf(refusedName), "Refused");
                }
            }
            case "toRealPath" -> {
                looks++;
                if (looks == changedLook) {
                    onLook.run();
                }
                check(real);
            }
            case "iterator" -> {
                List<Path> names = new ArrayList<>();
                real.forEach(name -> names.add(on(name)));
                return names.iterator();
            }
            default -> {}
        }
        @Nullable Object[] plain = arguments == null ? new Object[0] : arguments.clone();
        for (int i = 0; i < plain.length; i++) {
            plain[i] = plain[i] instanceof Path path ? bare(path) : plain[i];
        }
        try {
            @Nullable Object result = method.invoke(real, plain);
            return result instanceof Path path ? on(path) : result;
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static Path bare(Path path) {
        return Path.of(path.toString());
    }

    private void check(Path path) throws FileSystemException {
        for (Path name : path) {
            if (name.toString().equals(deniedName)) {
                throw new AccessDeniedException(path.toString());
            }
        }
        @Nullable Path last = path.getFileName();
        if (last != null && last.toString().equals(brokenName)) {
            throw new FileSystemException(path.toString(), null, "Input/output error");
        }
    }

    @Override
    public FileChannel newFileChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        if (failOpens > 0) {
            failOpens--;
            throw new FileSystemException(path.toString(), null, "Too many open files");
        }
        if (denyOpens) {
            throw new AccessDeniedException(path.toString());
        }
        onOpen.run();
        return FileChannel.open(bare(path), options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(
            Path path, Class<A> type, LinkOption... options) throws IOException {
        attributesRead++;
        check(path);
        return Files.readAttributes(bare(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String names, LinkOption... options)
            throws IOException {
        check(path);
        return Files.readAttributes(bare(path), names, options);
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        check(path);
        Path real = bare(path);
        real.getFileSystem().provider().checkAccess(real, modes);
    }

    @Override
    public String getScheme() {
        return "faulty";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return system;
    }

    @Override
    public Path getPath(URI uri) {
        throw new UnsupportedOperationException();
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
        throw new UnsupportedOperationException();
    }

    @Override
    @SuppressWarnings("StreamResourceLeak") // the caller closes it
    public DirectoryStream<Path> newDirectoryStream(
            Path folder, DirectoryStream.Filter<? super Path> filter) throws IOException {
        check(folder);
        return Files.newDirectoryStream(bare(folder), filter);
    }

    @Override
    public void createDirectory(Path folder, FileAttribute<?>... attributes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void delete(Path path) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isSameFile(Path one, Path other) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isHidden(Path path) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileStore getFileStore(Path path) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        return null;
    }

    @Override
    public void setAttribute(Path path, String name, Object value, LinkOption... options) {
        throw new UnsupportedOperationException();
    }

    private final class Disk extends FileSystem {
        private final FileSystem real = FileSystems.getDefault();

        @Override
        public FileSystemProvider provider() {
            return FaultyDisk.this;
        }

        @Override
        public void close() {}

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public boolean isReadOnly() {
            return true;
        }

        @Override
        public String getSeparator() {
            return real.getSeparator();
        }

        @Override
        public Iterable<Path> getRootDirectories() {
            return List.of();
        }

        @Override
        public Iterable<FileStore> getFileStores() {
            return List.of();
        }

        @Override
        public Set<String> supportedFileAttributeViews() {
            return real.supportedFileAttributeViews();
        }

        @Override
        public Path getPath(String first, String... more) {
            return on(real.getPath(first, more));
        }

        @Override
        public PathMatcher getPathMatcher(String pattern) {
            return real.getPathMatcher(pattern);
        }

        @Override
        public UserPrincipalLookupService getUserPrincipalLookupService() {
            throw new UnsupportedOperationException();
        }

        @Override
        public WatchService newWatchService() {
            throw new UnsupportedOperationException();
        }
    }
}
