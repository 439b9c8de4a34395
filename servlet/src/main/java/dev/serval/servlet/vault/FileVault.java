package dev.serval.servlet.vault;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Keeps each session in a file of its own, in 256 folders, and an index of all in memory.
///
/// A short session is changed in its file ([SessionFile]). Else a session is written to another file,
/// a new one or one of a session that has ended ([FreeFiles]), which is then renamed. So a session is as
/// before or as after even if the process is killed. One server owns the folder while it runs. Any
/// thread that may block.
public final class FileVault implements SharedVault {
    private static final int BLOCK_BITS = 12; // what a small file takes on most file systems
    private static final int SMALL = RecordFormat.PAIR_BYTES >> BLOCK_BITS; // blocks
    private static final int UNCONFIRMED_SHARE = 4;
    private static final int READS_MAX = 3;
    private static final int FREE_SHARE = 16; // of the quota
    private static final int FREE_MAX = 4_096; // files, 16 MiB
    private static final int ATTEMPTS_MAX = 3; // of which interrupts end all but the last
    private static final String TEMPORARY = ".tmp";
    private static final String PARTS = "[0-9a-f][0-9a-f]"; // folders

    /// How a vault treats its folder.
    ///
    /// @param survives whether its sessions are for the next start too; if not, they are deleted
    ///     when it is opened and closed
    /// @param syncs whether a write waits until the disk has it, so that it survives the loss of
    ///     power
    public record Mode(boolean survives, boolean syncs) {}

    private final Path folder;
    private final SessionFile.Forcing forcing; // does nothing if the vault does not sync
    private final Set<Path> forcedParts = ConcurrentHashMap.newKeySet(); // the disk has their names
    private final Mode mode;
    private final VaultLimits limits;
    private final System.Logger log;
    private final FolderOwner owner;
    private final KeyIndex index;
    private final FreeFiles free;
    private final AtomicLong blocks = new AtomicLong();
    private final AtomicLong unconfirmedBlocks = new AtomicLong();
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicLong written = new AtomicLong();
    private int users = 1; // under the lock; 0 once closed

    private FileVault(
            Path folder,
            Mode mode,
            VaultLimits limits,
            System.Logger log,
            long nowMillis,
            SessionFile.Forcing forcing)
            throws IOException {
        this.folder = folder;
        this.forcing = mode.syncs() ? forcing : (_, _) -> {};
        this.mode = mode;
        this.limits = limits;
        this.log = log;
        this.index = new KeyIndex(nowMillis);
        long share = (limits.diskMaxBytes() >> BLOCK_BITS) / FREE_SHARE;
        this.free = new FreeFiles(TEMPORARY, (int) Math.min(FREE_MAX, share));
        createFolder(folder);
        if (mode.syncs()) {
            forceNameOf(folder);
        }
        this.owner = FolderOwner.take(folder);
    }

    /// Opens a folder, which is created if it is missing, and finds the sessions in it. Removes
    /// what a crash has left.
    ///
    /// @param log receives a line for each damaged file
    /// @param nowMillis the time; deadlines are kept relative to it
    /// @throws IOException if the folder cannot be written, or belongs to another server
    public static FileVault open(
            Path folder, Mode mode, VaultLimits limits, System.Logger log, long nowMillis)
            throws IOException {
        return open(folder, mode, limits, log, nowMillis, FileVault::force);
    }

    /// Opens a folder as the other method does, with another way to force files and folders.
    static FileVault open(
            Path folder,
            Mode mode,
            VaultLimits limits,
            System.Logger log,
            long nowMillis,
            SessionFile.Forcing forcing)
            throws IOException {
        FileVault vault = new FileVault(folder, mode, limits, log, nowMillis, forcing);
        try {
            vault.scanAll();
            return vault;
        } catch (IOException | RuntimeException | Error e) {
            vault.owner.close();
            throw e;
        }
    }

    /// Creates a folder that only the user of the server can read, because it holds sessions.
    private static void createFolder(Path path) throws IOException {
        Files.createDirectories(path);
        if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
        }
    }

    /// Waits until the disk has the name of a folder and of those above it, any of which may be new.
    /// Those that the server must not read have not been created by it.
    private void forceNameOf(Path path) throws IOException {
        @Nullable Path above = path.toAbsolutePath().getParent();
        while (above != null) {
            try {
                force(above);
            } catch (AccessDeniedException e) {
                return;
            }
            above = above.getParent();
        }
    }

    private void scanAll() throws IOException {
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(folder, PARTS)) {
            for (Path part : parts) {
                if (Files.isDirectory(part)) {
                    scan(part);
                }
            }
        }
    }

    private void scan(Path part) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(part)) {
            for (Path file : files) {
                scanOrReport(file);
            }
        }
    }

    /// Scans a file. One that the disk cannot read must not keep the application from its start.
    private void scanOrReport(Path file) {
        try {
            scanFile(file);
        } catch (IOException e) {
            log.log(
                    WARNING,
                    "A stored session is lost, because its file "
                            + file
                            + " cannot be read. Check the disk and the owner of the file: "
                            + e);
        }
    }

    private void scanFile(Path file) throws IOException {
        String name = String.valueOf(file.getFileName());
        if (!mode.survives() || name.endsWith(TEMPORARY)) {
            Files.deleteIfExists(file);
            return;
        }
        if (!SessionKey.isHex(name)) {
            return; // not ours
        }
        long length = Files.size(file);
        if (length == 0) {
            Files.deleteIfExists(file); // the power failed before the disk had its content
            return;
        }
        RecordFormat.Summary found;
        try {
            found = SessionFile.summary(file, length);
        } catch (DamagedSessionException e) {
            log.log(
                    WARNING,
                    "A stored session is lost, because its file "
                            + name
                            + " is damaged or of another version of the server: "
                            + e.getMessage()
                            + ". The file was removed.");
            Files.deleteIfExists(file);
            return;
        }
        count(
                KeyIndex.Entry.NONE,
                put(
                        SessionKey.ofHex(name),
                        StoredSession.deadlineMillis(
                                found.usedMillis(), found.maxInactiveSeconds()),
                        new KeyIndex.Entry(blocks(length), found.confirmed())));
    }

    private KeyIndex.Entry put(SessionKey key, long deadlineMillis, KeyIndex.Entry entry) {
        KeyIndex.Entry _ = index.put(key, deadlineMillis, entry);
        return entry;
    }

    private static int blocks(long bytes) {
        return (int) ((bytes + (1 << BLOCK_BITS) - 1) >> BLOCK_BITS);
    }

    @Override
    public boolean mayContain(SessionKey key) {
        return index.contains(key);
    }

    @Override
    public @Nullable StoredSession read(SessionKey key) throws IOException {
        // A session may leave the vault, and even come back, while it is read. Another session may
        // get
        // its file then, and looks like damage.
        int failures = 0;
        while (index.contains(key)) {
            try {
                return readFile(key);
            } catch (NoSuchFileException | DamagedSessionException e) {
                failures++;
                if (failures == READS_MAX) {
                    count(index.remove(key), KeyIndex.Entry.NONE);
                    Files.deleteIfExists(file(key));
                    throw new DamagedSessionException(
                            e instanceof DamagedSessionException
                                    ? "its file " + key.hex() + " is damaged: " + e.getMessage()
                                    : "something has removed its file " + key.hex());
                }
            }
        }
        return null;
    }

    private StoredSession readFile(SessionKey key) throws IOException {
        long bytesMax = (long) RecordFormat.PAIR_BYTES + limits.sessionMaxBytes();
        StoredSession session = SessionFile.read(file(key), bytesMax);
        if (!SessionKey.of(session.id()).equals(key)) {
            throw new DamagedSessionException("it belongs to another name");
        }
        return session;
    }

    @Override
    public long write(SessionKey key, StoredSession session) throws IOException {
        uninterrupted(() -> place(key, session));
        return 0;
    }

    /// Access to a file, which an interrupt ends because it closes the channel.
    private interface Access {
        void run() throws IOException;
    }

    private static void uninterrupted(Access access) throws IOException {
        boolean interrupted = false;
        try {
            for (int i = 1; true; i++) {
                interrupted |= Thread.interrupted();
                try {
                    access.run();
                    return;
                } catch (ClosedByInterruptException e) {
                    if (i == ATTEMPTS_MAX) {
                        throw e;
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void place(SessionKey key, StoredSession session) throws IOException {
        long bytes = RecordFormat.fileBytes(session);
        KeyIndex.Entry before = index.get(key);
        KeyIndex.Entry after = new KeyIndex.Entry(blocks(bytes), session.confirmed());
        checkQuota(before, after);
        Path file = file(key);
        boolean mayHavePair = RecordFormat.isPair(session) && before.blocks() == SMALL;
        boolean changed = mayHavePair && SessionFile.update(file, session, forcing);
        if (!changed && !(RecordFormat.isPair(session) && reuse(file, session))) {
            replace(file, RecordFormat.file(session));
        }
        count(index.put(key, session.deadlineMillis(), after), after);
        Path part = folderOf(file);
        if (mode.syncs() && !(changed && forcedParts.contains(part))) {
            forceNamesTo(part);
        }
    }

    /// Puts the file of a session that has ended in the place of another, or of none.
    ///
    /// @return false if there is none, or it cannot be used
    private boolean reuse(Path file, StoredSession session) throws IOException {
        @Nullable Path free = this.free.take(file);
        if (free == null) {
            return false;
        }
        boolean used = false;
        try {
            SessionFile.overwrite(free, RecordFormat.file(session), forcing);
            rename(free, file);
            used = true;
        } catch (ClosedByInterruptException e) {
            throw e; // the caller tries again
        } catch (IOException e) {
            return false; // a new file may succeed, or tells why not
        } finally {
            if (!used) {
                FreeFiles.delete(free);
            }
        }
        return true;
    }

    private static void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /// Puts a new file in the place of another, or of none. So a reader never sees half of it.
    private void replace(Path file, byte[] content) throws IOException {
        String name = file.getFileName() + "." + written.incrementAndGet() + TEMPORARY;
        Path temporary = file.resolveSibling(name);
        try {
            SessionFile.create(temporary, content, forcing);
        } catch (NoSuchFileException e) {
            createFolder(folderOf(file)); // it is the first there
            SessionFile.create(temporary, content, forcing);
        }
        try {
            rename(temporary, file);
        } catch (IOException | RuntimeException | Error e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
    }

    /// Waits until the disk has the new name of a file, and the name of its folder. Another write may
    /// have created that folder a moment ago, and may not have forced it yet.
    private void forceNamesTo(Path part) throws IOException {
        try {
            force(part);
            if (!forcedParts.contains(part)) {
                force(folder);
                forcedParts.add(part);
            }
        } catch (IOException e) {
            forcedParts.remove(part); // the next write there tries again
            throw e;
        }
    }

    private static void force(Path path, FileChannel open) throws IOException {
        open.force(/* metaData */ Files.isDirectory(path));
    }

    private void force(Path part) throws IOException {
        try (FileChannel channel = FileChannel.open(part)) {
            forcing.force(part, channel);
        }
    }

    private void checkQuota(KeyIndex.Entry before, KeyIndex.Entry after) throws VaultFullException {
        long max = limits.diskMaxBytes() >> BLOCK_BITS;
        int more = after.blocks() - before.blocks();
        boolean full = more > 0 && blocks.get() + more > max;
        long others = unconfirmedBlocks.get() - unconfirmed(before);
        if (full || (!after.confirmed() && others > max / UNCONFIRMED_SHARE)) {
            throw new VaultFullException(
                    "the sessions of the application take "
                            + bytes()
                            + " of "
                            + limits.diskMaxBytes()
                            + " bytes on disk: raise the quota, or shorten the timeout of sessions",
                    full);
        }
    }

    private void count(KeyIndex.Entry before, KeyIndex.Entry after) {
        blocks.addAndGet(after.blocks() - (long) before.blocks());
        unconfirmedBlocks.addAndGet(unconfirmed(after) - (long) unconfirmed(before));
        size.addAndGet(Integer.signum(after.blocks()) - Integer.signum(before.blocks()));
    }

    private static int unconfirmed(KeyIndex.Entry entry) {
        return entry.confirmed() ? 0 : entry.blocks();
    }

    @Override
    public void touch(SessionKey key, long accessedMillis, int maxInactiveSeconds)
            throws IOException {
        long deadline = StoredSession.deadlineMillis(accessedMillis, maxInactiveSeconds);
        if (index.touch(key, deadline)) {
            uninterrupted(() -> SessionFile.touch(file(key), accessedMillis));
        }
    }

    @Override
    public void remove(SessionKey key) throws IOException {
        KeyIndex.Entry before = index.remove(key);
        count(before, KeyIndex.Entry.NONE);
        Path file = file(key);
        if (before.blocks() != SMALL || !free.keep(file)) {
            // Also if it is unknown: an earlier attempt may have failed after it was forgotten.
            Files.deleteIfExists(file);
        }
    }

    @Override
    public List<SessionKey> overdue(long nowMillis, int max) {
        return index.overdue(nowMillis, max);
    }

    @Override
    public long version(SessionKey key) {
        return index.contains(key) ? 0 : -1;
    }

    @Override
    public String place() {
        return "the folder " + folder;
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public int size() {
        return size.get();
    }

    @Override
    public long bytes() {
        return blocks.get() << BLOCK_BITS;
    }

    private Path file(SessionKey key) {
        String name = key.hex();
        return folder.resolve(name.substring(0, 2)).resolve(name);
    }

    private Path folderOf(Path file) {
        return folder.resolve(String.valueOf(file.getFileName()).substring(0, 2));
    }

    @Override
    public synchronized boolean share() {
        if (users == 0) {
            return false;
        }
        users++;
        return true;
    }

    /// Removes a user.
    ///
    /// @return whether it was the last
    private synchronized boolean leave() {
        return users > 0 && --users == 0;
    }

    /// Gives the folder back when the last user calls, and deletes the sessions unless they survive.
    @Override
    public void close() {
        if (!leave()) {
            return;
        }
        try (owner;
                free) {
            if (!mode.survives()) {
                scanAll();
            }
        } catch (IOException e) {
            log.log(WARNING, "Serval failed to close the folder of sessions " + folder, e);
        }
    }
}
