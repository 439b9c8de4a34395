package dev.serval.servlet.archive;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Unpacks applications into a folder and keeps them there by the hash of their content. The same
/// archive is unpacked once, whatever its name, and for all servers that share the folder. If there
/// is no room, the least recently used applications are deleted; those in use never are.
///
/// An application is unpacked into a temporary folder and renamed when it is complete. A crash
/// leaves only temporary folders, which the next use deletes. Threads and processes may use the
/// same folder at once: a lock lets them in one by one.
///
/// Running applications have their temporary folders here, too, each with a [Lease]. A folder whose
/// lease no living process holds is deleted.
public final class WorkFolder {
    private static final int BLOCK_BYTES = 256 << 10;
    private static final String TEMPORARY = "t-";
    private static final System.Logger LOG = System.getLogger(WorkFolder.class.getName());

    private final Path apps;
    private final Path temporaries;
    private final Path running;
    private final Path leases;
    private final FolderLock lock;
    private final WorkLimits limits;
    private final ArchiveLimits archiveLimits;
    private final InstantSource clock;

    private WorkFolder(
            Path folder, WorkLimits limits, ArchiveLimits archiveLimits, InstantSource clock) {
        this.apps = folder.resolve("apps");
        this.temporaries = folder.resolve("temporary");
        this.running = folder.resolve("temporary-of-apps");
        this.leases = folder.resolve("leases");
        this.lock = new FolderLock(folder.resolve("lock"), limits.lockWaitNanos(), clock);
        this.limits = limits;
        this.archiveLimits = archiveLimits;
        this.clock = clock;
    }

    /// Opens a folder, or creates it for the server's user only, because applications hold
    /// passwords and the server runs their code.
    ///
    /// @param clock wall clock, comparable with the file system's times
    /// @throws IOException if that fails, or another user owns the folder or could write there; the
    ///     message says what to do
    public static WorkFolder open(
            Path folder, WorkLimits limits, ArchiveLimits archiveLimits, InstantSource clock)
            throws IOException {
        PrivateFolder.open(folder);
        WorkFolder work = new WorkFolder(folder.toRealPath(), limits, archiveLimits, clock);
        Files.createDirectories(work.apps);
        Files.createDirectories(work.temporaries);
        Files.createDirectories(work.running);
        Files.createDirectories(work.leases);
        return work;
    }

    /// Deletes a folder that was made for one start, with all that is in it. Nothing may use it.
    public static void delete(Path folder) throws IOException {
        FolderTree.delete(folder);
    }

    /// Makes an application's files ready: unpacks an archive, or takes a folder as it is, and
    /// extracts META-INF/resources of its jars.
    ///
    /// @throws IOException if the application cannot be unpacked; the message says why
    public UnpackedApp prepare(Path archiveOrFolder) throws IOException {
        return prepare(archiveOrFolder, warning -> LOG.log(Level.WARNING, warning));
    }

    /// Makes an application's files ready, as [#prepare(Path)] does.
    ///
    /// @param warnings receives a sentence if an unpacked folder is deleted, because the application
    ///     has changed it
    /// @throws IOException if the application cannot be unpacked; the message says why
    public UnpackedApp prepare(Path archiveOrFolder, Consumer<String> warnings) throws IOException {
        Path app = archiveOrFolder.toAbsolutePath().normalize();
        if (Files.isDirectory(app)) {
            return prepareFolder(app, warnings);
        }
        if (!Files.isRegularFile(app)) {
            throw Fault.of(app.toString(), "there is no such archive or folder");
        }
        return prepareArchive(app, warnings);
    }

    /// Creates the temporary folder of a running application, and deletes those of servers that
    /// have died.
    ///
    /// @param app names the application for people who look at the folder
    public TemporaryFolder temporary(String app) throws IOException {
        return lock.hold(() -> {
            clean();
            // A lease is found by a pattern, so the name has only characters without a meaning.
            String name = app.replaceAll("[^A-Za-z0-9_-]", "_") + "-";
            Path path = FolderTree.unused(running, name);
            Lease lease = Lease.take(leases, String.valueOf(path.getFileName()));
            try {
                PrivateFolder.create(path);
            } catch (IOException | RuntimeException | Error e) {
                lease.close();
                throw e;
            }
            return new TemporaryFolder(path, lease);
        });
    }

    private UnpackedApp prepareArchive(Path war, Consumer<String> warnings) throws IOException {
        return lock.hold(() -> {
            clean();
            SourceMark mark = SourceMark.of(war);
            boolean settled = mark.isSettled(clock.instant()); // before the content is read
            @Nullable WorkEntry known = mark.exact() ? marked(mark.text()) : null;
            String key = known == null ? hash(war) : known.hash();
            WorkEntry entry = ready(key, unpacked -> fill(war, mark, unpacked), warnings);
            if (known == null && settled) {
                checkUnchanged(war, mark);
                entry.addMark(mark.text(), temporaries.resolve(TEMPORARY + "marks"));
            }
            return use(entry, entry.files());
        });
    }

    /// Unpacks an archive and the resources of its jars. The check at the end comes before the
    /// entry gets its key: a changed archive has another hash.
    private void fill(Path war, SourceMark mark, WorkEntry unpacked) throws IOException {
        Path files = Files.createDirectories(unpacked.files());
        Budget budget = new Budget(archiveLimits, Files.size(war));
        try (ZipArchive archive = ZipArchive.open(war, war.toString(), archiveLimits)) {
            WarFile.check(archive, archive.entries(), budget);
            makeRoom(budget.bytes());
            WarFile.write(archive, archive.entries(), files);
        }
        List<Path> jars = JarResources.jars(files);
        JarResources.extract(jars, war.toString(), unpacked.resources(), budget);
        checkUnchanged(war, mark);
    }

    private static void checkUnchanged(Path war, SourceMark mark) throws IOException {
        if (!SourceMark.of(war).equals(mark)) {
            throw Fault.of(
                    war.toString(),
                    "the archive changed while it was unpacked: copy it to another name first, then"
                            + " rename it");
        }
    }

    private UnpackedApp prepareFolder(Path folder, Consumer<String> warnings) throws IOException {
        List<Path> jars = JarResources.jars(folder);
        MessageDigest digest = sha256();
        if (!JarResources.identify(jars, folder.toString(), archiveLimits, digest)) {
            return new UnpackedApp(folder, apps.resolve("none"), null, keyOf(folder));
        }
        String key = HexFormat.of().formatHex(digest.digest());
        return lock.hold(() -> {
            clean();
            WorkEntry entry = ready(key, unpacked -> extract(folder, jars, unpacked), warnings);
            return use(entry, folder);
        });
    }

    private void extract(Path folder, List<Path> jars, WorkEntry unpacked) throws IOException {
        long bytes = 0;
        for (Path jar : jars) {
            bytes += Files.size(jar);
        }
        Budget budget = new Budget(archiveLimits, bytes);
        JarResources.extract(jars, folder.toString(), unpacked.resources(), budget);
    }

    private UnpackedApp use(WorkEntry entry, Path root) throws IOException {
        entry.used(clock.instant());
        String key = root.equals(entry.files()) ? entry.key() : keyOf(root);
        return new UnpackedApp(root, entry.resources(), Lease.take(leases, entry.key()), key);
    }

    /// Returns the name of a folder that is used as it is.
    private static String keyOf(Path folder) {
        byte[] path = folder.toString().getBytes(StandardCharsets.UTF_8);
        return "folder-" + HexFormat.of().formatHex(sha256().digest(path));
    }

    /// What fills a new entry.
    private interface Filling {
        void fill(WorkEntry entry) throws IOException;
    }

    /// Returns an intact entry with the content that the key names. If a server uses an entry that
    /// is not intact, such as one whose application has changed a file, that entry stays and
    /// another is filled.
    private WorkEntry ready(String key, Filling filling, Consumer<String> warnings)
            throws IOException {
        for (int i = 0; i <= limits.entriesMax(); i++) {
            WorkEntry entry = new WorkEntry(apps.resolve(i == 0 ? key : key + "-" + i));
            if (entry.isIntact()) {
                return entry;
            }
            if (!Lease.isTaken(leases, entry.key())) {
                warnOfChange(entry, warnings);
                add(entry, filling);
                return entry;
            }
        }
        throw new IOException(
                "The work folder "
                        + apps.getParent()
                        + " has only changed copies of the application, all in use: undeploy one");
    }

    /// Tells why an entry is filled again, because its folder is deleted with everything in it.
    private static void warnOfChange(WorkEntry entry, Consumer<String> warnings)
            throws IOException {
        @Nullable Path changed = entry.changed();
        if (changed != null) {
            warnings.accept(
                    changed
                            + " was changed or deleted after its application had been unpacked. So"
                            + " the application is unpacked again, and everything that was written"
                            + " into its folder is deleted. Let the application write elsewhere.");
        }
    }

    /// Fills a temporary entry and renames it.
    private void add(WorkEntry entry, Filling filling) throws IOException {
        remove(entry);
        Path temporary = Files.createDirectory(FolderTree.unused(temporaries, TEMPORARY));
        try {
            WorkEntry unpacked = new WorkEntry(temporary);
            filling.fill(unpacked);
            unpacked.writeIndex();
            makeRoom(unpacked.bytes());
            Files.move(temporary, entry.folder(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | RuntimeException | Error e) {
            try {
                FolderTree.delete(temporary);
            } catch (IOException inner) {
                e.addSuppressed(inner); // the next use deletes it
            }
            throw e;
        }
    }

    /// Deletes the least recently used entries until there is room for one with so many bytes.
    private void makeRoom(long bytes) throws IOException {
        List<Kept> kept = kept();
        long total = bytes;
        for (Kept entry : kept) {
            total += entry.bytes;
        }
        int count = kept.size() + 1;
        for (Kept entry : kept) {
            boolean full = total > limits.maxBytes() || count > limits.entriesMax();
            if (full && !Lease.isTaken(leases, entry.entry.key())) {
                remove(entry.entry);
                total -= entry.bytes;
                count--;
            }
        }
        if (total > limits.maxBytes() || count > limits.entriesMax()) {
            throw new IOException(
                    "The work folder "
                            + apps.getParent()
                            + " has no room: with this application, those in use have "
                            + total
                            + " of "
                            + limits.maxBytes()
                            + " bytes and "
                            + count
                            + " of "
                            + limits.entriesMax()
                            + " entries. Undeploy applications or raise the limits of the work"
                            + " folder");
        }
    }

    private record Kept(WorkEntry entry, long bytes, Instant lastUse) {}

    /// Returns all entries, the least recently used first.
    private List<Kept> kept() throws IOException {
        List<Kept> kept = new ArrayList<>();
        for (WorkEntry entry : entries()) {
            kept.add(new Kept(entry, entry.bytes(), entry.lastUse()));
        }
        kept.sort(Comparator.comparing(Kept::lastUse));
        return kept;
    }

    private List<WorkEntry> entries() throws IOException {
        List<WorkEntry> entries = new ArrayList<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(apps)) {
            for (Path folder : folders) {
                entries.add(new WorkEntry(folder));
            }
        }
        return entries;
    }

    /// Renames an entry first, so that a crash never leaves half of it under its key.
    private void remove(WorkEntry entry) throws IOException {
        if (Files.exists(entry.folder())) {
            Path temporary = Files.createDirectory(FolderTree.unused(temporaries, TEMPORARY));
            Files.move(entry.folder(), temporary.resolve("old"), StandardCopyOption.ATOMIC_MOVE);
            FolderTree.delete(temporary);
        }
    }

    /// Deletes what crashed servers have left: leases, temporaries, and temporary folders of their
    /// applications. Temporaries exist only under the lock, so any that is there now is stale.
    private void clean() throws IOException {
        Lease.sweep(leases);
        try (DirectoryStream<Path> stale = Files.newDirectoryStream(temporaries, TEMPORARY + "*")) {
            for (Path tree : stale) {
                FolderTree.delete(tree);
            }
        }
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(running)) {
            for (Path folder : folders) {
                if (!Lease.isTaken(leases, String.valueOf(folder.getFileName()))) {
                    deleteOfDead(folder);
                }
            }
        }
    }

    /// Deletes a temporary folder. What an application has made undeletable prevents no start.
    private static void deleteOfDead(Path folder) {
        try {
            FolderTree.delete(folder);
        } catch (IOException e) {
            LOG.log(
                    Level.WARNING,
                    "The temporary folder " + folder + " of a dead server cannot be deleted",
                    e);
        }
    }

    private @Nullable WorkEntry marked(String mark) throws IOException {
        for (WorkEntry entry : entries()) {
            if (entry.marks().contains(mark)) {
                return entry;
            }
        }
        return null;
    }

    private static String hash(Path file) throws IOException {
        MessageDigest digest = sha256();
        ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            while (channel.read(block.clear()) >= 0) {
                digest.update(block.flip());
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
