package dev.serval.file;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Applies [Links] to the files below a root. Blocks. Immutable.
///
/// With [Links#NEVER] and [Links#OWNER] the check holds for the file that is opened, even if another
/// process replaces a folder by a link meanwhile: the file is opened from folder to folder, and no
/// step follows a link (`openat`). The server must then be allowed to read each of these folders.
final class LinkCheck {
    /// Linux follows as many (`MAXSYMLINKS`).
    private static final int LINKS_MAX = 40;

    /// A link that was changed within this time may have been replaced unnoticed: its time has the
    /// tick of the system's timer.
    private static final long TICK_NANOS = 100_000_000L;

    private static final String ATTRIBUTES = "unix:isSymbolicLink,uid,ino,dev,ctime";

    private final Path root;
    private final boolean onlyFile;
    private final Links links;
    private final InstantSource clock;

    /// Makes the check of a root.
    ///
    /// @param onlyFile whether the root is a file
    /// @throws IllegalArgumentException if this file system cannot do it
    LinkCheck(Path root, boolean onlyFile, Links links, InstantSource clock) {
        this.root = root;
        this.onlyFile = onlyFile;
        this.links = links;
        this.clock = clock;
        if (links == Links.OWNER
                && !root.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            throw new IllegalArgumentException(
                    "The file system of "
                            + root
                            + " has no numbers of owners: choose the links NEVER, INSIDE or FOLLOW");
        }
    }

    /// Returns whether `target` may be served.
    ///
    /// @param target a path below the root, or the root
    /// @param realRoot the root without links
    /// @param real the target without links
    boolean allows(Path target, Path realRoot, Path real) throws IOException {
        return switch (links) {
            case FOLLOW -> true;
            case INSIDE -> real.startsWith(realRoot);
            case NEVER -> real.equals(realRoot.resolve(root.relativize(target)).normalize());
            case OWNER -> isOfOwners(realRoot, root.relativize(target), real);
        };
    }

    /// Opens the file whose check allowed `real`.
    FileChannel open(Path real) throws IOException {
        boolean steps = !onlyFile && (links == Links.NEVER || links == Links.OWNER);
        if (!steps) {
            return FileChannel.open(real, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        }
        Path realRoot = root.toRealPath();
        Path from = real.startsWith(realRoot) ? realRoot : Objects.requireNonNull(real.getRoot());
        return open(from, from.relativize(real));
    }

    /// What tells one link from another, and whose it is.
    private record Entry(
            boolean link, Object owner, Object inode, Object device, FileTime changed) {
        static Entry of(Path path) throws IOException {
            Map<String, Object> facts =
                    Files.readAttributes(path, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
            return new Entry(
                    (Boolean) fact(facts, "isSymbolicLink"),
                    fact(facts, "uid"),
                    fact(facts, "ino"),
                    fact(facts, "dev"),
                    (FileTime) fact(facts, "ctime"));
        }

        private static Object fact(Map<String, Object> facts, String name) {
            return Objects.requireNonNull(facts.get(name), name);
        }
    }

    /// A link whose names are being followed.
    ///
    /// @param owner whom its target must belong to
    /// @param namesAfter how many names follow those of the link
    private record Followed(Object owner, int namesAfter) {}

    /// Follows the links one by one, and compares the owner of each with the owner of what it leads
    /// to. That is looked at by its path without links, so that it is what is opened later.
    private boolean isOfOwners(Path realRoot, Path below, Path real) throws IOException {
        Deque<Path> names = new ArrayDeque<>();
        below.forEach(names::addLast);
        Deque<Followed> open = new ArrayDeque<>();
        Path at = realRoot;
        int followed = 0;
        while (!names.isEmpty()) {
            Path next = step(at, names.removeFirst());
            Entry entry = Entry.of(next);
            if (entry.link()) {
                if (++followed > LINKS_MAX) {
                    return false;
                }
                Path to = read(next, entry);
                open.push(new Followed(entry.owner(), names.size()));
                at = to.isAbsolute() ? Objects.requireNonNull(to.getRoot()) : at;
                prepend(to, names);
            } else {
                at = next;
            }
            while (!open.isEmpty() && open.element().namesAfter() == names.size()) {
                if (!Entry.of(at).owner().equals(open.pop().owner())) {
                    return false;
                }
            }
        }
        return at.equals(real);
    }

    private static Path step(Path at, Path name) {
        return switch (name.toString()) {
            case "", "." -> at;
            case ".." -> {
                @Nullable Path above = at.getParent();
                yield above == null ? at : above;
            }
            default -> at.resolve(name);
        };
    }

    private static void prepend(Path to, Deque<Path> names) {
        for (int i = to.getNameCount() - 1; i >= 0; i--) {
            names.addFirst(to.getName(i));
        }
    }

    /// Returns what a link has, if it is still the link that was looked at.
    ///
    /// @throws IOException if it was just replaced; a later look will tell
    private Path read(Path link, Entry seen) throws IOException {
        Path to = Files.readSymbolicLink(link);
        long age = now() - seen.changed().to(NANOSECONDS);
        if (!seen.equals(Entry.of(link)) || Math.abs(age) < TICK_NANOS) {
            throw new FileSystemException(link.toString(), null, "The link is being changed");
        }
        return to;
    }

    private long now() {
        return FileTime.from(clock.instant()).to(NANOSECONDS);
    }

    /// Opens a file from folder to folder, without following a link.
    @SuppressWarnings("StreamResourceLeak") // each folder is closed when the next one is open
    private static FileChannel open(Path from, Path below) throws IOException {
        SecureDirectoryStream<Path> folder = secure(Files.newDirectoryStream(from), from);
        try {
            for (int i = 0; i < below.getNameCount() - 1; i++) {
                SecureDirectoryStream<Path> next =
                        folder.newDirectoryStream(below.getName(i), LinkOption.NOFOLLOW_LINKS);
                folder.close();
                folder = next;
            }
            SeekableByteChannel opened =
                    folder.newByteChannel(
                            below.getFileName(),
                            Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
            if (opened instanceof FileChannel file) {
                return file;
            }
            opened.close();
            throw cannot(from);
        } finally {
            folder.close();
        }
    }

    private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> folder, Path at)
            throws IOException {
        if (folder instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        folder.close();
        throw cannot(at);
    }

    private static IOException cannot(Path at) {
        return new FileSystemException(
                at.toString(),
                null,
                "This file system cannot open files without following links: choose the links"
                        + " INSIDE or FOLLOW");
    }
}
