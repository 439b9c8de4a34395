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
import dev.serval.listing.ListingView;
import dev.serval.loop.Throttle;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Serves the files of a folder, or one file. A path in the cache is answered on the loop. Any
/// other path is looked up by a task of [ExecutorKind#DISK] first.
///
/// A path that does not exist or is never served ([HiddenPaths]) is passed to the next handler of
/// the chain. If there is none, the answer is 404. A file answers GET, HEAD and OPTIONS. Other
/// methods get 405, unknown methods 501. A folder requested without the slash at its end is
/// redirected to the path with it. With the slash it answers with its index file.
///
/// One FileHandler may be in several routes, because its cache uses the path below the mount. It
/// holds open files until one of these happens:
///
/// - The cache evicts them.
/// - They were not requested for a while ([IdleFiles]).
/// - The handler is garbage collected.
public final class FileHandler implements Handler {
    private static final long REPORT_NANOS = 60_000_000_000L;
    private static final System.Logger LOG = System.getLogger(FileHandler.class.getName());

    /// The most look-ups for one exchange. It needs a second one only if the file is written, or an
    /// interrupted reader closes it, before the loop sends it.
    private static final int LOOKS_MAX = 3;

    /// The most attempts to open a file. Before the second, the cache closes its open files.
    private static final int TRIES_MAX = 2;

    private static final int STRIPES = 64;

    /// The later pages of lists that are made at a time. Each reads all names of its folder.
    private static final int LATER_PAGES_MAX = 2;

    /// Answers in place of a file that does not exist: the next handler of the chain does.
    private static final Handler PASS = Exchange::pass;

    private final FileCache cache;
    private final FileLookup lookup;
    private final Responder responder;
    private final boolean onlyFile;
    private final Path root;
    private final Throttle reports = new Throttle(REPORT_NANOS);
    private final IdleFiles idleFiles;
    private final GzipWork gzip;
    private final boolean lists;
    private final Semaphore laterPages = new Semaphore(LATER_PAGES_MAX);
    private final long maxAgeNanos;
    private final long staleMaxNanos;
    private final ReentrantLock[] looking = new ReentrantLock[STRIPES];
    private final SharedLooks sharedLooks = new SharedLooks();

    FileHandler(Path root, FileOptions options, InstantSource clock) {
        this.root = root;
        this.onlyFile = Files.isRegularFile(root);
        this.cache = new FileCache(options);
        this.lookup = new FileLookup(root, onlyFile, options, clock);
        this.responder = new Responder(clock);
        this.maxAgeNanos = options.revalidateNanos();
        this.staleMaxNanos = maxAgeNanos == 0 ? 0 : Math.max(maxAgeNanos, options.staleMaxNanos());
        this.idleFiles = new IdleFiles(cache, Math.max(options.openIdleNanos(), staleMaxNanos));
        this.lists = options.listing();
        this.gzip = new GzipWork(cache, options.compression());
        Arrays.setAll(looking, i -> new ReentrantLock());
    }

    /// Makes a handler for `root`. If it is a folder, the handler serves the files in it. If it is
    /// a file, the handler serves that file at the mount's own path. Reads the disk.
    ///
    /// @throws IllegalArgumentException if `root` does not exist or cannot be served
    public static FileHandler of(Path root, FileOptions options) {
        Path absolute = root.toAbsolutePath().normalize();
        if (!Files.exists(absolute)) {
            throw new IllegalArgumentException(
                    "There is no file or folder "
                            + absolute
                            + ": name a folder to serve the files in it, or a file to serve"
                            + " only that file");
        }
        boolean folder = Files.isDirectory(absolute);
        if (!folder && !Files.isRegularFile(absolute)) {
            throw new IllegalArgumentException(
                    absolute + " is neither a folder nor a regular file: mount one of these");
        }
        if (!Files.isReadable(absolute) || (folder && !Files.isExecutable(absolute))) {
            throw new IllegalArgumentException(
                    "This process may not read "
                            + absolute
                            + ": give its user the right to read"
                            + (folder ? " and enter the folder" : " the file"));
        }
        Thread.ofPlatform().daemon().name("serval-link").start(FileHandler::link);
        return new FileHandler(absolute, options, InstantSource.system());
    }

    /// Initializes classes in advance. A class whose initialization fails for want of memory can
    /// never be used again, so the handler could serve no more files.
    private static void link() {
        EntityTag.link();
        String _ = MediaTypes.of("index.html", FileOptions.DEFAULT);
    }

    @Override
    public boolean takesTrace() {
        return true; // refused as all methods but GET, HEAD and OPTIONS
    }

    @Override
    public void handle(Exchange exchange) {
        EngineExchange x = EngineExchange.of(exchange);
        TargetPath path = x.request().target().path();
        int prefix = x.route().prefixLength();
        int from = path.from() + prefix;
        if (onlyFile && prefix > 0 && path.to() > from) {
            x.pass(); // only the mount's own path is the file
            return;
        }
        if (lists
                && path.to() > from
                && path.buffer()[path.to() - 1] == '/'
                && asksForView(x, from)) {
            return;
        }
        @Nullable CachedFile entry = cache.find(path.buffer(), from, path.to());
        if (entry == null
                || !entry.isFresh(x.nowNanos(), maxAgeNanos, staleMaxNanos)
                || !answerCached(x, entry, this, PASS)) {
            lookWithOthers(x, entry, Arrays.copyOfRange(path.buffer(), from, path.to()));
        }
    }

    /// Answers for a folder by the view that the query names, unless the folder is known to have an index
    /// file, which may use the query as it likes.
    ///
    /// @return whether it is answered, now or later
    private boolean asksForView(EngineExchange x, int from) {
        TargetPath path = x.request().target().path();
        @Nullable String query = x.request().target().query();
        @Nullable CachedFile known =
                query == null ? null : cache.find(path.buffer(), from, path.to());
        if (query == null || (known != null && isFile(known.found()))) {
            return false;
        }
        byte[] folder = Arrays.copyOfRange(path.buffer(), from, path.to());
        serve(x, ListingView.ofQuery(query).key(folder), PASS);
        return true;
    }

    /// Returns whether a path leads to a file, and not to a list, which has no date.
    private static boolean isFile(Found found) {
        return found instanceof Found.File file && file.representation().hasLastModified();
    }

    /// Runs a look-up on the disk, or waits for that of another exchange. After that the cache has the
    /// answer. If it does not, because the disk failed or the file was just written, this exchange
    /// looks for itself.
    private void lookWithOthers(EngineExchange x, @Nullable CachedFile known, byte[] below) {
        SharedLooks.@Nullable Shared other = sharedLooks.find(x, below);
        if (other == null) {
            look(x, known, 1, below, PASS);
        } else {
            other.await(x, () -> serve(x, below, PASS));
        }
    }

    /// Answers with the file at another path than the request's own, which an application has
    /// named. The exchange may have read its content, but must not have begun its response.
    /// Conditions and ranges count only for GET and HEAD. Any other method gets the whole file,
    /// because the application has done what was asked for and names its result.
    ///
    /// @param path normalised, `/name[/name…]`, without dot segments
    /// @param absent answers if there is no such file
    public void serve(Exchange exchange, byte[] path, Handler absent) {
        EngineExchange x = EngineExchange.of(exchange);
        @Nullable CachedFile entry = cache.find(path, 0, path.length);
        if (entry == null
                || !entry.isFresh(x.nowNanos(), maxAgeNanos, staleMaxNanos)
                || !answerCached(x, entry, new Again(path, 1, absent), absent)) {
            look(x, entry, 1, path, absent);
        }
    }

    /// What a path leads to.
    public enum Kind {
        /// A file, which may be served or may not be read.
        FILE,
        /// A folder.
        FOLDER,
        /// Nothing, or nothing that may be served.
        NOTHING
    }

    /// Returns what a path leads to, if the cache knows it; null if it does not. On the loop.
    ///
    /// @param path below the mount, normalised, without a slash at its end
    /// @param nowNanos the turn's reading of the monotonic clock
    public @Nullable Kind known(byte[] path, long nowNanos) {
        @Nullable CachedFile entry = cache.find(path, 0, path.length);
        if (entry == null || !entry.mayStandIn(nowNanos, maxAgeNanos)) {
            return null;
        }
        Found found = entry.found();
        if (found == Found.Other.ABSENT) {
            return Kind.NOTHING;
        }
        return found == Found.Other.FOLDER ? Kind.FOLDER : Kind.FILE;
    }

    /// Looks what a path leads to. Blocks, so only tasks of [ExecutorKind#DISK] call it.
    ///
    /// @param path as for [#known]
    /// @throws IOException if the disk or the system failed
    public Kind look(byte[] path) throws IOException {
        if (onlyFile || HiddenPaths.hides(path)) {
            return onlyFile && path.length == 0 ? Kind.FILE : Kind.NOTHING;
        }
        Found.Seen seen = lookup.seen(path);
        if (seen == Found.Other.ABSENT) {
            return Kind.NOTHING;
        }
        return seen == Found.Other.FOLDER ? Kind.FOLDER : Kind.FILE;
    }

    /// Looks for the file that a path leads to, and returns its path without links; null if there is
    /// none that may be served ([Links], [HiddenPaths]). Blocks, as [#look].
    ///
    /// @param path as for [#known]
    /// @throws IOException if the disk or the system failed
    public @Nullable Path file(byte[] path) throws IOException {
        boolean hidden = onlyFile ? path.length > 0 : HiddenPaths.hides(path);
        return !hidden && lookup.seen(path) instanceof Fingerprint fingerprint
                ? fingerprint.real()
                : null;
    }

    /// Returns the end of the first segment that has an extension and is a file which may be served, as
    /// the script in `/a.php/info`; -1 if there is none. Nothing is below a name that is neither a
    /// file nor a folder, so the search ends there: a path of many such names costs one look. Blocks,
    /// as [#look].
    ///
    /// @param path as for [#known], or with a slash at its end
    /// @param extension such as `.php`; the name of a script is longer
    /// @throws IOException if the disk or the system failed
    public int scriptEnd(byte[] path, byte[] extension) throws IOException {
        Found.Seen seen = Found.Other.FOLDER;
        for (int end = 1; seen == Found.Other.FOLDER && end <= path.length; end++) {
            if (isScriptName(path, end, extension)) {
                byte[] name = Arrays.copyOf(path, end);
                seen = onlyFile || HiddenPaths.hides(name) ? Found.Other.ABSENT : lookup.seen(name);
                if (seen instanceof Fingerprint) {
                    return end;
                }
            }
        }
        return -1;
    }

    /// Returns whether the segment of a path that ends at an index has an extension after its name.
    public static boolean isScriptName(byte[] path, int end, byte[] extension) {
        int at = end - extension.length;
        return (end == path.length || path[end] == '/')
                && at > 0
                && path[at - 1] != '/'
                && Arrays.equals(path, at, end, extension, 0, extension.length);
    }

    /// Returns the age past which a result is not used without a new look at the disk.
    public long maxAgeNanos() {
        return maxAgeNanos;
    }

    /// Answers with an entry that was cached before, so that it may be worth compressing.
    private boolean answerCached(
            EngineExchange x, CachedFile entry, Handler again, Handler absent) {
        if (entry.wantsGzip()) {
            gzip.start(x, entry);
        }
        return answer(x, entry, again, absent);
    }

    /// Answers with the entry.
    ///
    /// @param again looks the file up again if it changes before it is read
    /// @return false, without an answer, if the file was written or closed in the meantime
    private boolean answer(EngineExchange x, CachedFile entry, Handler again, Handler absent) {
        entry.use();
        Found found = entry.found();
        if (found instanceof Found.File file) {
            return (PASS.equals(absent) || isRead(x))
                    ? responder.answer(x, file, again)
                    : Responder.whole(x, file.representation(), again);
        }
        answerWithoutFile(x, (Found.Other) found, absent);
        return true;
    }

    private static void answerWithoutFile(EngineExchange x, Found.Other found, Handler absent) {
        switch (found) {
            case FOLDER -> {
                if (!PASS.equals(absent)) {
                    absent.handle(x);
                } else if (isRead(x)) {
                    Redirects.toFolder(x);
                } else {
                    Responder.withoutContent(x);
                }
            }
            case ABSENT -> absent.handle(x);
            case DENIED ->
                    x.refuse(Status.FORBIDDEN, Fields.EMPTY, "The server may not read this file.");
        }
    }

    private static boolean isRead(EngineExchange x) {
        Method method = x.request().method();
        return method == Method.GET || method == Method.HEAD;
    }

    /// Runs a look-up on the disk, or answers with a stale entry if too many tasks wait.
    ///
    /// @param known the cache's entry, too old or with a closed file; null if there is none
    /// @param below the path below the root
    /// @param absent answers if there is no file
    private void look(
            EngineExchange x, @Nullable CachedFile known, int looks, byte[] below, Handler absent) {
        if (HiddenPaths.hides(below)) {
            absent.handle(x);
            return;
        }
        boolean later = ListingView.ofKey(below).isLaterPage();
        if (later && !laterPages.tryAcquire()) {
            busy(x);
            return;
        }
        long now = x.nowNanos();
        boolean shared = !later && looks == 1 && PASS.equals(absent) && maxAgeNanos > 0;
        Look task = new Look(known, looks, below, absent, now, later);
        if (shared && sharedLooks.find(x, below) == null) {
            task.shared = sharedLooks.begin(x, below);
        }
        if (known == null || !known.mayStandIn(now, staleMaxNanos) || !known.isUsable()) {
            x.run(ExecutorKind.DISK, task);
        } else if (!x.offer(ExecutorKind.DISK, task)) {
            task.dropped();
            if (!answer(x, known, new Again(below, looks, absent), absent)) {
                look(x, null, looks, below, absent);
            }
        }
    }

    /// Answers 503 after a failure of the disk or the system.
    public static void busy(Exchange x) {
        x.refuse(
                Status.SERVICE_UNAVAILABLE,
                Fields.of(FieldName.RETRY_AFTER, "1"),
                "The server cannot read the file at the moment; please try again.");
    }

    /// Looks at the disk, unless another exchange has just done so, and caches the result. If that
    /// is an open file, it is lent to the caller, because the cache may evict it at any time.
    /// Returns null if the system failed.
    private @Nullable CachedFile load(byte[] path, long now) {
        int hash = cache.hash(path, 0, path.length);
        ReentrantLock lock = looking[hash & (STRIPES - 1)];
        lock.lock(); // exchanges that miss the same path share one look-up
        try {
            @Nullable CachedFile known = cache.find(path, 0, path.length);
            if (known != null
                    && known.isJustChecked(now, maxAgeNanos)
                    && known.isUsable()
                    && known.lend()) {
                return known;
            }
            Found before = known == null ? Found.Other.ABSENT : known.found();
            @Nullable Found found = lookUp(path, before, now);
            if (known != null && before.equals(found)) {
                if (known.lend()) {
                    known.checked(now);
                    return known;
                }
                found = lookUp(path, Found.Other.ABSENT, now); // it was closed during the look-up
            }
            if (found == null) {
                if (known != null) {
                    known.unclaim();
                }
                return null;
            }
            byte[] key = isFile(found) ? ListingView.folder(path) : path; // an index has no pages
            CachedFile entry = new CachedFile(key, cache.hash(key, 0, key.length), found, now);
            boolean _ = entry.lend(); // never fails, because no other thread has the entry
            cache.put(entry, key);
            return entry;
        } finally {
            lock.unlock();
        }
    }

    /// Looks up a path. Returns null if the system failed, usually because no descriptors are left,
    /// and failed again after the cache had closed its open files.
    private @Nullable Found lookUp(byte[] path, Found before, long now) {
        @Nullable IOException last = null;
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            try {
                return lookup.find(path, before);
            } catch (IOException e) {
                last = e;
                LOG.log(
                        Level.DEBUG,
                        "The server could not read a file; it closes unused files and tries again",
                        e);
                cache.closeFiles();
            }
        }
        if (reports.pass(now)) {
            LOG.log(
                    Level.WARNING,
                    "Requests get 503 or an older version, because the server cannot read files of "
                            + root
                            + ". Check the disk, and how many files the server may open (ulimit"
                            + " -n). There is at most one such message a minute.",
                    last);
        }
        return null;
    }

    /// Looks up a file again that changed before its first bytes were read.
    private final class Again implements Handler {
        private final byte[] below;
        private final int looks;
        private final Handler absent;

        Again(byte[] below, int looks, Handler absent) {
            this.below = below;
            this.looks = looks;
            this.absent = absent;
        }

        @Override
        public void handle(Exchange exchange) {
            if (looks < LOOKS_MAX) {
                look(EngineExchange.of(exchange), null, looks + 1, below, absent);
            } else {
                busy(exchange);
            }
        }
    }

    /// For tests.
    FileCache cache() {
        return cache;
    }

    /// A look-up on its way to the disk, and then the answer. If it does not take place, another
    /// exchange may start one: the exchange may have claimed the entry ([CachedFile#isFresh]). From
    /// the look-up until the answer it borrows the file that was found.
    private final class Look implements Task, Handler {
        private final @Nullable CachedFile known;
        private final int looks;
        private final byte[] below;
        private final Handler absent;
        private final long nanos; // of the exchange, when it asked
        private boolean later; // whether it has one of the few permits for later pages of lists
        private SharedLooks.@Nullable Shared shared; // others wait for it
        private @Nullable CachedFile entry; // the result, lent; null if the system failed

        /// Creates a look-up; the parameters are those of [#look].
        Look(
                @Nullable CachedFile known,
                int looks,
                byte[] below,
                Handler absent,
                long nanos,
                boolean later) {
            this.known = known;
            this.looks = looks;
            this.below = below;
            this.absent = absent;
            this.nanos = nanos;
            this.later = later;
        }

        @Override
        public Handler run() {
            try {
                entry = load(below, nanos);
            } catch (RuntimeException | Error e) {
                dropped();
                throw e;
            }
            return this;
        }

        @Override
        public void dropped() {
            unclaim();
            giveBack();
            end();
        }

        private void end() {
            if (shared != null) {
                shared.end();
            }
        }

        @Override
        public void handle(Exchange exchange) {
            try {
                answer(EngineExchange.of(exchange));
            } finally {
                giveBack();
                end();
            }
        }

        private void giveBack() {
            if (later) {
                later = false;
                laterPages.release();
            }
            if (entry != null) {
                entry.giveBack();
            }
        }

        private void unclaim() {
            if (known != null) {
                known.unclaim();
            }
        }

        private void answer(EngineExchange x) {
            if (entry == null) {
                boolean standsIn = known != null && known.mayStandIn(x.nowNanos(), staleMaxNanos);
                if (known == null
                        || !standsIn
                        || !FileHandler.this.answer(x, known, FileHandler::busy, absent)) {
                    busy(x);
                }
                return;
            }
            entry.arrived(x.nowNanos());
            OpenFile[] open = entry.openFiles();
            if (open.length > 0) {
                idleFiles.watch(x);
            }
            for (OpenFile file : open) {
                if (looks == LOOKS_MAX && file.getAsBoolean()) {
                    file.allowGrowth();
                }
            }
            Again again = new Again(below, looks, absent);
            boolean answered =
                    entry == known // so it was asked for before
                            ? answerCached(x, entry, again, absent)
                            : FileHandler.this.answer(x, entry, again, absent);
            if (!answered) {
                again.handle(x);
            }
        }
    }
}
