package dev.serval.file;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Looks at the disk: which file a path means, whether it may be served, its bytes and validators.
/// Blocks, so it is called by tasks at `ExecutorKind.DISK` alone. Keeps no state.
final class FileLookup {
    private static final System.Logger LOG = System.getLogger(FileLookup.class.getName());

    /// How often a file that changes while it is read is read.
    private static final int ATTEMPTS = 3;

    /// A path this long is one that Linux does not take (PATH_MAX); others take less or more.
    private static final int PATH_MAX_BYTES = 4096;

    /// A name up to this long is one that every file system takes: most take 255, those that
    /// encrypt names some 140.
    private static final int NAME_SURE_BYTES = 128;

    /// One reading of a file: of `target`, begun at `at`, with the same fingerprint before and after
    /// (`still`) or not.
    private record Reading(Path target, Fingerprint fingerprint, boolean still, Instant at) {
        long nanos() {
            return TimeUnit.SECONDS.toNanos(at.getEpochSecond()) + at.getNano();
        }
    }

    private final Path root;
    private final boolean onlyFile;
    private final FileOptions options;
    private final InstantSource clock;
    private final boolean hasChangeTime;

    /// Looks below `root`, or at `root` alone.
    ///
    /// @param onlyFile whether the root is a file
    /// @param clock wall clock, comparable with the file system's times
    FileLookup(Path root, boolean onlyFile, FileOptions options, InstantSource clock) {
        this.root = root;
        this.onlyFile = onlyFile;
        this.options = options;
        this.clock = clock;
        this.hasChangeTime = root.getFileSystem().supportedFileAttributeViews().contains("unix");
    }

    /// What is at the normalised `path`: `/name…`, or nothing for the root itself.
    ///
    /// @param known what was there at the last look; returned where nothing has changed
    /// @throws IOException where the disk or the system failed
    Found find(byte[] path, @Nullable Found known) throws IOException {
        if (onlyFile) {
            return path.length > 1 ? Found.Other.ABSENT : file(root, known);
        }
        boolean asFolder = path.length > 0 && path[path.length - 1] == '/';
        int from = Math.min(1, path.length);
        @Nullable Path target =
                below(new String(path, from, path.length - from, StandardCharsets.UTF_8));
        if (target == null) {
            return Found.Other.ABSENT;
        }
        if (!asFolder) {
            return file(target, known);
        }
        return switch (see(target)) {
            case Found.Other.FOLDER -> index(target, known);
            case Found.Other.DENIED -> Found.Other.DENIED;
            case Found.Other.ABSENT -> Found.Other.ABSENT;
            case Fingerprint _ -> Found.Other.ABSENT; // a file is not a folder
        };
    }

    private @Nullable Path below(String relative) {
        try {
            Path target = root.resolve(relative).normalize();
            return target.startsWith(root) ? target : null;
        } catch (InvalidPathException e) {
            return null; // a name that this file system cannot have, so nothing has it
        }
    }

    private Found index(Path folder, @Nullable Found known) throws IOException {
        for (String name : options.indexNames()) {
            Found found = file(folder.resolve(name), known);
            if (found instanceof Found.File || found == Found.Other.DENIED) {
                return found;
            }
        }
        return Found.Other.ABSENT;
    }

    /// Sees, reads, and sees again: what was read belongs to the fingerprint only if that stayed.
    private Found file(Path target, @Nullable Found known) throws IOException {
        Found.Seen seen = see(target);
        for (int attempt = 1;
                seen instanceof Fingerprint fingerprint && attempt <= ATTEMPTS;
                attempt++) {
            if (known instanceof Found.File file && file.isStill(fingerprint)) {
                return file;
            }
            Instant now = clock.instant();
            Representation.@Nullable Content content = null;
            try {
                content = read(fingerprint);
            } catch (AccessDeniedException e) {
                return Found.Other.DENIED;
            } catch (NoSuchFileException e) {
                LOG.log(Level.DEBUG, "Gone before it was opened", e);
            }
            seen = see(target);
            boolean still = fingerprint.equals(seen);
            if (content != null && (still || attempt == ATTEMPTS)) {
                return represent(new Reading(target, fingerprint, still, now), content);
            }
            if (content instanceof OpenFile open) {
                open.run();
            }
        }
        return seen instanceof Found.Other other ? other : Found.Other.ABSENT;
    }

    /// What is at `target`, by its attributes alone: what is not a regular file is never opened,
    /// for opening a FIFO waits until somebody writes to it.
    private Found.Seen see(Path target) throws IOException {
        try {
            if (isNotThere(target)) {
                return Found.Other.ABSENT;
            }
            Path realRoot = root.toRealPath(); // each time: deployments swap it by a link
            Path real = target.toRealPath();
            boolean inside = real.startsWith(realRoot);
            int own = inside && !onlyFile ? realRoot.getNameCount() : real.getNameCount() - 1;
            if ((!inside && !options.linksOutOfRoot())
                    || HiddenPaths.hides(real, Math.max(0, own))) {
                return Found.Other.ABSENT;
            }
            BasicFileAttributes attributes =
                    Files.readAttributes(
                            real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (attributes.isDirectory()) {
                return Found.Other.FOLDER;
            }
            return attributes.isRegularFile()
                    ? Fingerprint.of(real, attributes, changeTime(real))
                    : Found.Other.ABSENT;
        } catch (AccessDeniedException e) {
            return Found.Other.DENIED;
        } catch (NoSuchFileException e) {
            LOG.log(Level.DEBUG, "Not found", e);
            return Found.Other.ABSENT;
        } catch (FileSystemException e) {
            if (!leadsNowhere(target)) {
                throw e;
            }
            LOG.log(Level.DEBUG, "Not found", e);
            return Found.Other.ABSENT;
        }
    }

    /// Whether nothing has this path, told by one system call and without an exception: a flood of
    /// paths that do not exist costs little.
    private static boolean isNotThere(Path target) throws IOException {
        return target.getFileSystem()
                        .provider()
                        .readAttributesIfExists(target, BasicFileAttributes.class)
                == null;
    }

    /// Whether the path itself is why the file system would not look at `target`: a name too long,
    /// a file where the path has a folder, links in a circle. The JDK tells these by no type apart
    /// from a disk that fails, which must not be taken for the absence of a file. Walks down, so
    /// that a long path that leads nowhere costs no more than the folders that exist.
    private boolean leadsNowhere(Path target) throws IOException {
        if (bytes(target) >= PATH_MAX_BYTES) {
            return true;
        }
        Path at = root;
        for (Path name : root.relativize(target)) {
            at = at.resolve(name);
            try {
                BasicFileAttributes attributes =
                        Files.readAttributes(
                                at, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                boolean link = attributes.isSymbolicLink();
                boolean leadsOn =
                        at.equals(target)
                                ? !link || Files.exists(at)
                                : attributes.isDirectory() || (link && Files.isDirectory(at));
                if (!leadsOn) {
                    return true;
                }
            } catch (NoSuchFileException e) {
                LOG.log(Level.DEBUG, "Nothing there", e);
                return true;
            } catch (FileSystemException e) {
                LOG.log(Level.DEBUG, "No name, or no disk", e);
                return bytes(name) > NAME_SURE_BYTES;
            }
        }
        return false;
    }

    private static int bytes(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    private @Nullable FileTime changeTime(Path real) throws IOException {
        return hasChangeTime
                ? (FileTime) Files.getAttribute(real, "unix:ctime", LinkOption.NOFOLLOW_LINKS)
                : null;
    }

    private Representation.Content read(Fingerprint fingerprint) throws IOException {
        FileChannel channel =
                FileChannel.open(
                        fingerprint.real(), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        if (fingerprint.size() > options.smallMaxBytes()) {
            return new OpenFile(channel, channel.size());
        }
        try (channel) {
            ByteBuffer bytes = ByteBuffer.allocate((int) fingerprint.size());
            int n = 0;
            while (n >= 0 && bytes.hasRemaining()) {
                n = channel.read(bytes);
            }
            return new Representation.InMemory(Arrays.copyOf(bytes.array(), bytes.position()));
        }
    }

    /// Small contents are told apart by their bytes. Large ones by their fingerprint, which is a strong
    /// validator once settled; until then it is a weak one, and another at each look, so that it
    /// never speaks for a state that came within the same tick.
    private Found.File represent(Reading reading, Representation.Content content) {
        Fingerprint fingerprint = reading.fingerprint();
        long now = reading.nanos();
        boolean settled = reading.still() && fingerprint.isSettled(now);
        EntityTag tag =
                switch (content) {
                    case Representation.InMemory memory -> EntityTag.strong(memory.bytes());
                    case OpenFile _ when settled -> EntityTag.strong(fingerprint.bytes(0));
                    case OpenFile _ -> EntityTag.weak(fingerprint.bytes(now));
                };
        long modified = TimeUnit.NANOSECONDS.toSeconds(fingerprint.modifiedNanos());
        Representation representation =
                new Representation(
                        content,
                        MediaTypes.of(reading.target().toString(), options.textCharset()),
                        tag,
                        Math.min(
                                modified,
                                reading.at().getEpochSecond()), // §8.8.2.1: not in the future
                        reading.still() && fingerprint.isDateSettled(now),
                        options.noSniff());
        return new Found.File(representation, fingerprint, settled);
    }
}
