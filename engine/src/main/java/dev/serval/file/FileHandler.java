package dev.serval.file;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.handler.Task;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.Status;
import dev.serval.http.TargetPath;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Serves the files below a folder, or one file. What is in the cache is answered on the loop;
/// anything else is looked up at [ExecutorKind#DISK] first.
///
/// What is not there, and what is never served ([HiddenPaths]), is passed to the next handler of
/// the chain, so a 404 where there is none. A file answers GET, HEAD and OPTIONS; other
/// methods get 405, those that nobody knows 501. A folder asked for without the slash at its end is redirected to the path with it, and
/// answers with its index file.
///
/// One FileHandler may stand in several routes: its cache is by the path below the mount. It holds
/// open files until they are evicted, nobody has asked for them for a while ([IdleFiles]), or the
/// handler is garbage.
public final class FileHandler implements Handler {
    private static final System.Logger LOG = System.getLogger(FileHandler.class.getName());

    /// Looks at the disk for one exchange; more than one only where the file found is evicted
    /// before the loop comes to send it.
    private static final int LOOKS_MAX = 3;

    /// Opening a file is tried again once all kept ones were closed.
    private static final int TRIES_MAX = 2;

    private static final int STRIPES = 64;

    private final FileCache cache;
    private final FileLookup lookup;
    private final Responder responder;
    private final boolean onlyFile;
    private final IdleFiles idleFiles;
    private final long maxAgeNanos;
    private final long staleMaxNanos;
    private final ReentrantLock[] looking = new ReentrantLock[STRIPES];

    FileHandler(Path root, FileOptions options, InstantSource clock) {
        this.onlyFile = Files.isRegularFile(root);
        this.cache = new FileCache(options);
        this.lookup = new FileLookup(root, onlyFile, options, clock);
        this.responder = new Responder(clock);
        this.maxAgeNanos = options.revalidateNanos();
        this.staleMaxNanos = maxAgeNanos == 0 ? 0 : Math.max(maxAgeNanos, options.staleMaxNanos());
        this.idleFiles = new IdleFiles(cache, Math.max(options.openIdleNanos(), staleMaxNanos));
        Arrays.setAll(looking, i -> new ReentrantLock());
    }

    /// Serves what is at `root`: the files below a folder, or, where it is a file, that file at the
    /// mount's own path. Looks at the disk.
    ///
    /// @throws IllegalArgumentException where there is nothing that could be served
    public static FileHandler of(Path root, FileOptions options) {
        Path absolute = root.toAbsolutePath().normalize();
        if (!Files.exists(absolute)) {
            throw new IllegalArgumentException(
                    "There is no file or folder "
                            + absolute
                            + ": name a folder to serve what is below it, or a file to serve it"
                            + " alone");
        }
        boolean folder = Files.isDirectory(absolute);
        if (!folder && !Files.isRegularFile(absolute)) {
            throw new IllegalArgumentException(
                    absolute + " is neither a folder nor a regular file, so it cannot be served");
        }
        if (!Files.isReadable(absolute) || (folder && !Files.isExecutable(absolute))) {
            throw new IllegalArgumentException(
                    absolute
                            + " cannot be read by this process: its user needs the right to read"
                            + (folder ? " and enter the folder" : " the file"));
        }
        Thread.ofPlatform().daemon().name("serval-link").start(FileHandler::link);
        return new FileHandler(absolute, options, InstantSource.system());
    }

    /// A class whose first use fails for want of memory can never be used again: files could not be
    /// served from then on.
    private static void link() {
        EntityTag.link();
        String _ = MediaTypes.of("index.html", "");
    }

    @Override
    public void handle(Exchange exchange) {
        EngineExchange x = EngineExchange.of(exchange);
        TargetPath path = x.request().target().path();
        int prefix = x.route().prefixLength();
        int from = path.from() + prefix;
        if (onlyFile && prefix > 0 && path.to() > from) {
            x.pass(); // the mount's own path alone is the file's
            return;
        }
        @Nullable CachedFile entry = cache.find(path.buffer(), from, path.to());
        if (entry == null
                || !entry.isFresh(x.nowNanos(), maxAgeNanos, staleMaxNanos)
                || !answer(x, entry)) {
            look(x, entry, 1);
        }
    }

    /// @return false, with nothing done, where the file was closed meanwhile
    private boolean answer(EngineExchange x, CachedFile entry) {
        entry.use();
        return switch (entry.found()) {
            case Found.File file -> responder.answer(x, file.representation());
            case Found.Other.FOLDER -> {
                if (x.request().method() == Method.GET || x.request().method() == Method.HEAD) {
                    Redirects.toFolder(x);
                } else {
                    Responder.withoutContent(x);
                }
                yield true;
            }
            case Found.Other.ABSENT -> {
                x.pass();
                yield true;
            }
            case Found.Other.DENIED -> {
                x.refuse(Status.FORBIDDEN, Fields.EMPTY, "The server may not read this file.");
                yield true;
            }
        };
    }

    /// @param known what the cache has, past its age or closed; null for nothing
    private void look(EngineExchange x, @Nullable CachedFile known, int looks) {
        TargetPath path = x.request().target().path();
        int prefix = x.route().prefixLength();
        byte[] below = Arrays.copyOfRange(path.buffer(), path.from() + prefix, path.to());
        if (HiddenPaths.hides(below)) {
            x.pass();
            return;
        }
        long now = x.nowNanos();
        Task task = () -> answerWith(load(below, now), known, looks);
        if (known == null || !known.mayStandIn(now, staleMaxNanos) || !known.isUsable()) {
            x.run(ExecutorKind.DISK, task);
        } else if (!x.offer(ExecutorKind.DISK, task)) {
            known.unclaim();
            if (!answer(x, known)) {
                x.run(ExecutorKind.DISK, task);
            }
        }
    }

    /// @param entry what was found, or null where the system failed
    private Handler answerWith(@Nullable CachedFile entry, @Nullable CachedFile known, int looks) {
        return exchange -> {
            EngineExchange x = EngineExchange.of(exchange);
            if (entry == null) {
                boolean standsIn = known != null && known.mayStandIn(x.nowNanos(), staleMaxNanos);
                if (known == null || !standsIn || !answer(x, known)) {
                    busy(x);
                }
                return;
            }
            entry.arrived(x.nowNanos());
            if (entry.openFile() != null) {
                idleFiles.watch(x);
            }
            if (looks == LOOKS_MAX && !entry.isUsable()) {
                busy(x);
            } else if (!answer(x, entry)) {
                look(x, null, looks + 1);
            }
        };
    }

    /// The disk or the system failed.
    static void busy(Exchange x) {
        x.refuse(
                Status.SERVICE_UNAVAILABLE,
                Fields.of(FieldName.RETRY_AFTER, "1"),
                "The server cannot read the file at the moment; please try again.");
    }

    /// Looks at the disk, unless another exchange just did, and keeps what it finds. Null where the
    /// system failed.
    private @Nullable CachedFile load(byte[] path, long now) {
        int hash = cache.hash(path, 0, path.length);
        ReentrantLock lock = looking[hash & (STRIPES - 1)];
        lock.lock(); // so that many exchanges that miss one path look once
        try {
            @Nullable CachedFile known = cache.find(path, 0, path.length);
            if (known != null && known.isJustChecked(now, maxAgeNanos) && known.isUsable()) {
                return known;
            }
            Found before = known == null ? Found.Other.ABSENT : known.found();
            @Nullable Found found = lookUp(path, before);
            if (found == null) {
                if (known != null) {
                    known.unclaim();
                }
                return null;
            }
            if (known != null && found.equals(before)) {
                known.checked(now);
                return known;
            }
            CachedFile entry = new CachedFile(path, hash, found, now);
            cache.put(entry, path);
            return entry;
        } finally {
            lock.unlock();
        }
    }

    /// What is at the path; null where the system failed, most likely for want of descriptors, and
    /// failed again once the kept files had been closed.
    private @Nullable Found lookUp(byte[] path, Found before) {
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            try {
                return lookup.find(path, before);
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "A file could not be read", e);
                cache.closeFiles();
            }
        }
        return null;
    }

    /// For tests.
    FileCache cache() {
        return cache;
    }
}
