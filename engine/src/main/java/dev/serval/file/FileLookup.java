package dev.serval.file;

import dev.serval.coding.Compression;
import dev.serval.coding.ContentCoding;
import dev.serval.coding.Gzip;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Status;
import dev.serval.listing.FolderList;
import dev.serval.listing.ListingView;
import dev.serval.listing.NameWindow;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Looks at the disk: finds the file that a path names, checks whether it may be served, and reads
/// its bytes and validators. Blocks, so only tasks of `ExecutorKind.DISK` call it. Keeps no state.
final class FileLookup {
    private static final System.Logger LOG = System.getLogger(FileLookup.class.getName());

    /// The most attempts to look at a file, or to read it, while it changes.
    private static final int ATTEMPTS = 3;

    /// Linux rejects a path of this length (PATH_MAX). Other systems have other limits.
    private static final int PATH_MAX_BYTES = 4096;

    /// Every file system accepts a name up to this length. Most accept 255 bytes, those that
    /// encrypt names about 140.
    private static final int NAME_SURE_BYTES = 128;

    /// One read of the file `target`, begun at `at`. `still` tells whether the fingerprint was the
    /// same before and after it.
    record Reading(Path target, Fingerprint fingerprint, boolean still, Instant at) {
        long nanos() {
            return FileLookup.nanos(at);
        }
    }

    private final Path root;
    private final boolean onlyFile;
    private final FileOptions options;
    private final InstantSource clock;
    private final LinkCheck links;
    private final Siblings siblings;
    private final boolean hasChangeTime;

    /// Makes a look-up below `root`, or only of `root`.
    ///
    /// @param onlyFile whether the root is a file
    /// @param clock wall clock, comparable with the file system's times
    FileLookup(Path root, boolean onlyFile, FileOptions options, InstantSource clock) {
        this.root = root;
        this.onlyFile = onlyFile;
        this.options = options;
        this.clock = clock;
        this.links = new LinkCheck(root, onlyFile, options.links(), clock);
        this.siblings = new Siblings(this, onlyFile ? Compression.OFF : options.compression());
        this.hasChangeTime = root.getFileSystem().supportedFileAttributeViews().contains("unix");
    }

    /// Looks up the normalised `path`: `/name…`, or an empty path for the root itself.
    ///
    /// @param known the result of the last look-up; returned again if nothing has changed
    /// @throws IOException if the disk or the system failed
    Found find(byte[] path, @Nullable Found known) throws IOException {
        if (onlyFile) {
            return path.length > 1 ? Found.Other.ABSENT : file(root, known);
        }
        int length = ListingView.pathLength(path);
        boolean asFolder = length > 0 && path[length - 1] == '/';
        @Nullable Path target = below(length == path.length ? path : Arrays.copyOf(path, length));
        if (target == null) {
            return Found.Other.ABSENT;
        }
        if (!asFolder) {
            return file(target, known);
        }
        Found.Seen seen = see(target);
        if (seen == Found.Other.FOLDER) {
            return index(path, target, known);
        }
        // A file cannot have a slash at its end.
        return seen == Found.Other.DENIED ? Found.Other.DENIED : Found.Other.ABSENT;
    }

    /// Returns what the normalised `path` leads to, without reading it.
    Found.Seen seen(byte[] path) throws IOException {
        @Nullable Path target = below(path);
        return target == null ? Found.Other.ABSENT : see(target);
    }

    private @Nullable Path below(byte[] path) {
        int from = Math.min(1, path.length);
        String relative = new String(path, from, path.length - from, StandardCharsets.UTF_8);
        try {
            Path target = root.resolve(relative).normalize();
            return target.startsWith(root) ? target : null;
        } catch (InvalidPathException e) {
            return null; // the file system does not allow this name, so no file has it
        }
    }

    private Found index(byte[] path, Path folder, @Nullable Found known) throws IOException {
        String below = new String(path, 0, ListingView.pathLength(path), StandardCharsets.UTF_8);
        for (String name : options.indexNames()) {
            if (options.denied().matches(below + name)) {
                continue;
            }
            Found found = file(folder.resolve(name), known);
            if (found instanceof Found.File || found == Found.Other.DENIED) {
                return found;
            }
        }
        return options.listing() ? list(path, folder) : Found.Other.ABSENT;
    }

    /// Lists a folder. The list is cached as a file is, and made anew at each later look.
    ///
    /// @param key the path, and perhaps a [ListingView]
    private Found list(byte[] key, Path folder) throws IOException {
        ListingView view = ListingView.ofKey(key);
        String below = new String(key, 0, ListingView.pathLength(key), StandardCharsets.UTF_8);
        NameWindow names = new NameWindow(view.after());
        Path real = folder.toRealPath();
        BasicFileAttributes attributes = Files.readAttributes(real, BasicFileAttributes.class);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(real)) {
            for (Path entry : entries) {
                String name = String.valueOf(entry.getFileName());
                if (mayBeAskedFor(name)
                        && !HiddenPaths.hides(below + name)
                        && !options.denied().matches(below + name)
                        && !names.add(name)) {
                    break;
                }
            }
        } catch (AccessDeniedException e) {
            return Found.Other.DENIED;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        boolean top = folder.equals(root);
        String title = top ? "Files" : String.valueOf(folder.getFileName());
        FolderList list = new FolderList(title, top, view, names);
        names.names().forEach(name -> add(list, folder, name));
        Representation.InMemory content = new Representation.InMemory(list.page());
        Representation plain =
                new Representation(
                        content,
                        FolderList.TYPE,
                        EntityTag.strong(content.bytes()),
                        Representation.NEVER,
                        false,
                        options.noSniff());
        Found.File page = new Found.File(plain, Fingerprint.of(real, attributes, null), true, true);
        return isCompressible(page) ? compressed(page, content.bytes()) : page;
    }

    /// Returns whether a request can have the name in its path, which refuses these characters in any
    /// spelling ([dev.serval.http.TargetPath]).
    private static boolean mayBeAskedFor(String name) {
        return name.chars().noneMatch(c -> c < ' ' || c == 0x7f || c == '\\');
    }

    /// Compresses a list at once, because it is made anew at each look.
    private Found.File compressed(Found.File page, byte[] content) {
        Representation negotiated = page.representation().negotiated();
        byte @Nullable [] gzip =
                Gzip.compressed(content, options.compression().level(), content.length);
        if (gzip == null) {
            return page;
        }
        Representation coded =
                negotiated.coded(
                        ContentCoding.GZIP,
                        new Representation.InMemory(gzip),
                        EntityTag.strong(gzip),
                        Representation.NEVER);
        CodedForms forms = CodedForms.NONE.with(new CodedForms.Form(ContentCoding.GZIP, coded));
        return new Found.File(negotiated, forms, false, page.fingerprint(), true, true);
    }

    /// Adds a name to the list, unless it would not be served.
    private void add(FolderList list, Path folder, String name) {
        try {
            Found.Seen seen = see(folder.resolve(name));
            if (seen == Found.Other.ABSENT || seen == Found.Other.DENIED) {
                return;
            }
            if (seen instanceof Fingerprint fingerprint) {
                list.addFile(name, fingerprint.size(), fingerprint.modifiedNanos());
            } else {
                list.addFolder(name);
            }
        } catch (IOException | InvalidPathException e) { // such as bytes that are no text here
            LOG.log(Level.DEBUG, "A file is left out of the list of its folder", e);
        }
    }

    /// Takes the fingerprint, reads the file, and takes the fingerprint again. The content belongs
    /// to the fingerprint only if both are equal.
    private Found file(Path target, @Nullable Found known) throws IOException {
        Found.Seen seen = see(target);
        for (int attempt = 1;
                seen instanceof Fingerprint fingerprint && attempt <= ATTEMPTS;
                attempt++) {
            Instant now = clock.instant();
            @Nullable Fingerprint[] beside = siblings.look(target, fingerprint, nanos(now));
            if (known instanceof Found.File file
                    && file.isStill(fingerprint, nanos(now))
                    && file.coded().areStill(beside)) {
                return file;
            }
            Representation.@Nullable Content content = null;
            try {
                content = read(fingerprint);
            } catch (AccessDeniedException e) {
                return Found.Other.DENIED;
            } catch (NoSuchFileException e) {
                LOG.log(Level.DEBUG, "A file was removed before it was opened", e);
            }
            seen = seeAgain(target, content);
            boolean still = fingerprint.equals(seen);
            if (content != null && (still || attempt == ATTEMPTS)) {
                Reading reading = new Reading(target, fingerprint, still, now);
                return withForms(represent(reading, content), beside, reading);
            }
            close(content);
        }
        return seen instanceof Found.Other other ? other : Found.Other.ABSENT;
    }

    private static long nanos(Instant at) {
        return TimeUnit.SECONDS.toNanos(at.getEpochSecond()) + at.getNano();
    }

    private Found.Seen seeAgain(Path target, Representation.@Nullable Content content)
            throws IOException {
        try {
            return see(target);
        } catch (IOException | RuntimeException | Error e) {
            close(content);
            throw e;
        }
    }

    /// Closes the content, if it is an open file.
    static void close(Representation.@Nullable Content content) {
        if (content instanceof OpenFile open) {
            open.close();
        }
    }

    /// Inspects `target` by its attributes only. Anything but a regular file is never opened,
    /// because opening a FIFO waits for a writer.
    Found.Seen see(Path target) throws IOException {
        try {
            if (isNotThere(target)) {
                return Found.Other.ABSENT;
            }
            @Nullable Path real = allowed(target);
            if (real == null) {
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
            LOG.log(Level.DEBUG, "A file was not found", e);
            return Found.Other.ABSENT;
        } catch (FileSystemException e) {
            if (!leadsNowhere(target)) {
                throw e;
            }
            LOG.log(Level.DEBUG, "A path cannot name a file", e);
            return Found.Other.ABSENT;
        }
    }

    /// Returns a path without links; null if it may not be served. Root and target are looked at one after
    /// the other. If a deployment swaps a link that leads to the root in between, the target seems to be
    /// outside of it.
    private @Nullable Path allowed(Path target) throws IOException {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            Path realRoot = root.toRealPath(); // each time: a deployment may swap a link
            Path real = target.toRealPath();
            boolean inside = real.startsWith(realRoot);
            int own = inside && !onlyFile ? realRoot.getNameCount() : real.getNameCount() - 1;
            if (links.allows(target, realRoot, real)
                    && !HiddenPaths.hides(real, Math.max(0, own))) {
                return real;
            }
            if (root.toRealPath().equals(realRoot)) {
                return null;
            }
        }
        return null;
    }

    /// Returns whether the path does not exist. It takes one system call and throws no exception,
    /// so that a flood of missing paths costs little.
    private static boolean isNotThere(Path target) throws IOException {
        return target.getFileSystem()
                        .provider()
                        .readAttributesIfExists(target, BasicFileAttributes.class)
                == null;
    }

    /// Returns whether the path itself is the reason why the file system rejected `target`: a name
    /// that is too long, a file in place of a folder, or a cycle of links. The JDK has no separate
    /// exception for these and for a failing disk, and a failing disk must not count as a missing
    /// file. This method walks down from the root, so that a long path costs no more than the
    /// folders that exist.
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
                LOG.log(Level.DEBUG, "A part of the path does not exist", e);
                return true;
            } catch (FileSystemException e) {
                LOG.log(Level.DEBUG, "A part of the path is not a name, or the disk failed", e);
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

    /// Reads a file, or opens it if it is long.
    Representation.Content read(Fingerprint fingerprint) throws IOException {
        FileChannel channel = links.open(fingerprint.real());
        if (fingerprint.size() > options.smallMaxBytes()) {
            try {
                return OpenFile.of(channel);
            } catch (IOException | Error e) {
                channel.close();
                throw e;
            }
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

    /// Returns the whole content. An open file must be lent. Fewer bytes if the file has become
    /// shorter.
    static byte[] bytes(Representation.Content content) throws IOException {
        return content instanceof OpenFile open
                ? open.read(0, (int) open.length())
                : ((Representation.InMemory) content).bytes();
    }

    /// Returns `bytes` bytes of the content from `at` on.
    static ByteBuffer part(Representation.Content content, long at, int bytes) throws IOException {
        byte[] part =
                content instanceof OpenFile open
                        ? open.read(at, bytes)
                        : Arrays.copyOfRange(
                                ((Representation.InMemory) content).bytes(),
                                (int) at,
                                (int) at + bytes);
        return ByteBuffer.wrap(Arrays.copyOf(part, bytes));
    }

    /// Represents the content. The entity tag of small content is computed from its bytes, and that
    /// of large content from its fingerprint. After the file has rested for two seconds, the tag is
    /// strong. Until then it is weak, because a file that is being written may change between the check
    /// of its state and the moment at which the system sends its bytes. Until the fingerprint has
    /// settled, the tag also differs at each look-up, so that it never names a state that was written
    /// within the same tick. Small content that changed during each read has a weak tag too.
    private Found.File represent(Reading reading, Representation.Content content) {
        Fingerprint fingerprint = reading.fingerprint();
        long now = reading.nanos();
        boolean settled = reading.still() && fingerprint.isSettled(now);
        boolean rested = settled && fingerprint.hasRested(now);
        EntityTag tag;
        if (content instanceof Representation.InMemory memory) {
            tag =
                    reading.still()
                            ? EntityTag.strong(memory.bytes())
                            : EntityTag.weak(memory.bytes());
        } else {
            tag =
                    rested
                            ? EntityTag.strong(fingerprint.bytes(0))
                            : EntityTag.weak(fingerprint.bytes(settled ? 0 : now));
        }
        long modified = TimeUnit.NANOSECONDS.toSeconds(fingerprint.modifiedNanos());
        String type = MediaTypes.of(reading.target().toString(), options);
        Representation plain =
                new Representation(
                        content,
                        type,
                        tag,
                        Math.min(modified, reading.at().getEpochSecond()), // RFC 9110 §8.8.2.1
                        reading.still() && fingerprint.isDateSettled(now),
                        options.noSniff());
        Representation representation = withCacheRule(plain, reading.target(), type);
        boolean small = content instanceof Representation.InMemory;
        return new Found.File(representation, fingerprint, settled, small || rested);
    }

    /// Adds the compressed forms that are on the disk.
    ///
    /// @param beside the files that have them, as they were seen before
    private Found.File withForms(Found.File plain, @Nullable Fingerprint[] beside, Reading reading)
            throws IOException {
        boolean compressible = isCompressible(plain);
        if (beside.length == 0 && !compressible) {
            return plain;
        }
        Representation negotiated = plain.representation().negotiated();
        CodedForms forms;
        try {
            forms = siblings.read(beside, reading, negotiated);
        } catch (IOException | RuntimeException | Error e) {
            close(negotiated.content());
            throw e;
        }
        boolean wantsGzip = compressible && plain.hasFinalTag() && !forms.has(ContentCoding.GZIP);
        return new Found.File(
                negotiated,
                forms,
                wantsGzip,
                plain.fingerprint(),
                plain.settled(),
                plain.hasFinalTag());
    }

    /// Returns whether the file is worth a compressed form of our own. It needs a cache to keep it.
    private boolean isCompressible(Found.File plain) {
        Compression compression = options.compression();
        long length = plain.representation().content().length();
        return compression.covers(Compression.Scope.FILES)
                && options.revalidateNanos() > 0
                && length >= compression.minBytes()
                && length <= compression.fileMaxBytes()
                && compression.types().contains(plain.representation().type());
    }

    private Representation withCacheRule(Representation plain, Path target, String type) {
        if (options.cacheRules().isEmpty()) {
            return plain;
        }
        @Nullable Path only = onlyFile ? target.getFileName() : null;
        Path below = only == null ? root.relativize(target) : only;
        StringBuilder path = new StringBuilder();
        for (Path name : below) {
            path.append('/').append(name);
        }
        for (CacheRule rule : options.cacheRules()) {
            if (rule.matches(path.toString(), type)) {
                Fields fields = Fields.of(FieldName.CACHE_CONTROL, rule.value());
                return plain.with(Status.OK, fields);
            }
        }
        return plain;
    }
}
