package dev.serval.servlet.session;

import dev.serval.servlet.kept.KeptSessions;
import dev.serval.servlet.vault.AttributeCodec;
import dev.serval.servlet.vault.ClassRules;
import dev.serval.servlet.vault.SessionVault;
import dev.serval.servlet.vault.VaultLimits;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;
import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Sessions with a clock that tests set, and a record of all events and log entries. For one
/// thread, but for the clock, which is read by any.
public final class SessionFixture {
    public static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    public static final int TIMEOUT_MINUTES = 30;

    /// Of sessions that all end after a minute unless they are confirmed.
    static final SessionLimits KEEPS_NONE =
            new SessionLimits(100_000, 100_000, 100_000, 0, 60 * SECOND, 10 * SECOND);

    public final List<String> events = new ArrayList<>();
    final AtomicInteger released = new AtomicInteger();
    public final List<String> logged = new ArrayList<>();
    final System.Logger log = logTo(logged);
    public final SessionStore store;
    volatile Runnable beforeAdd = () -> {};
    volatile Runnable afterGet = () -> {};
    final ServletContext context =
            (ServletContext)
                    Proxy.newProxyInstance(
                            SessionFixture.class.getClassLoader(),
                            new Class<?>[] {ServletContext.class},
                            (_, method, _) -> {
                                if (method.getName().equals("getClassLoader")) {
                                    return SessionFixture.class.getClassLoader();
                                }
                                throw new UnsupportedOperationException(method.getName());
                            });
    public volatile long nowNanos = Long.MAX_VALUE - 5 * SECOND; // overflows soon, as nanoTime may
    public volatile long wallStepMillis; // by which the wall clock has been set forward
    volatile HeapGauge.Reading heap = HeapGauge.Reading.NONE;
    volatile boolean loaded; // the server
    volatile Executor threads = Runnable::run;
    public final Sessions sessions;

    public SessionFixture() {
        this(SessionLimits.STANDARD);
    }

    public SessionFixture(SessionLimits limits) {
        this(limits, TIMEOUT_MINUTES, null);
    }

    public SessionFixture(
            SessionLimits limits, int timeoutMinutes, @Nullable SessionEvents events) {
        this(limits, timeoutMinutes, events, null);
    }

    /// @param other keeps the sessions; null for memory with hooks
    public SessionFixture(
            SessionLimits limits,
            int timeoutMinutes,
            @Nullable SessionEvents events,
            @Nullable SessionStore other) {
        store = other == null ? new HookedStore() : other;
        SessionClock clock =
                new SessionClock(() -> Instant.ofEpochMilli(nowMillis()), () -> nowNanos);
        SessionEvents target = events == null ? new Recorder() : events;
        SessionSetup setup =
                new SessionSetup(
                        context,
                        store,
                        target,
                        new SessionIds(new SecureRandom()),
                        clock,
                        () -> heap,
                        () -> loaded,
                        task -> threads.execute(task),
                        log);
        sessions = new Sessions(setup, limits, timeoutMinutes);
    }

    /// Returns sessions that are kept in a vault.
    ///
    /// @param survives whether they are for the next start, too
    /// @param savesRequests whether they are stored at the end of each request
    public static SessionFixture over(
            SessionVault vault, SessionLimits limits, boolean survives, boolean savesRequests) {
        ClassLoader loader = SessionFixture.class.getClassLoader();
        AttributeCodec codec =
                new AttributeCodec(loader, new ClassRules(loader, List.of()), VaultLimits.STANDARD);
        return new SessionFixture(
                limits,
                TIMEOUT_MINUTES,
                null,
                new KeptSessions(
                        new KeptSessions.Setup(
                                vault, codec, survives, savesRequests, savesRequests)));
    }

    /// Returns the id of a new session with an attribute, which a client has confirmed.
    public String createWith(String name, Object value) {
        SessionFacade created = sessions.create();
        created.setAttribute(name, value);
        created.save();
        created.release();
        touch(created.getId());
        return created.getId();
    }

    /// Is a request that may change an attribute. Returns the value before.
    @Nullable
    public Object request(String id, String name, @Nullable Object next) {
        SessionFacade session = join(id);
        try {
            @Nullable Object value = session.getAttribute(name);
            if (next != null) {
                session.setAttribute(name, next);
            }
            session.save();
            return value;
        } finally {
            session.release();
        }
    }

    /// Returns a logger that adds each line to a list.
    public static System.Logger logTo(List<String> lines) {
        return new Log(lines);
    }

    /// Returns milliseconds of the wall clock, which starts at 1,000,000 and may be set.
    public long nowMillis() {
        return 1_000_000 + wallStepMillis + (nowNanos - (Long.MAX_VALUE - 5 * SECOND)) / 1_000_000;
    }

    public void pass(long nanos) {
        long before = nowNanos;
        nowNanos = before + nanos;
    }

    int tick() {
        return sessions.tick(nowNanos);
    }

    /// Lets time pass with a tick at each second, and returns how many sessions were examined.
    public int passWithTicks(int seconds) {
        int examined = 0;
        for (int i = 0; i < seconds; i++) {
            pass(SECOND);
            examined += tick();
        }
        return examined;
    }

    /// Returns the id of a new session that no request uses.
    public String createIdle() {
        SessionFacade session = sessions.create();
        session.release();
        return session.getId();
    }

    /// Returns the id of a new session that a client has confirmed and no request uses.
    String createConfirmed() {
        String id = createIdle();
        touch(id);
        return id;
    }

    /// Is a request with the id.
    public void touch(String id) {
        join(id).release();
    }

    /// Begins a request whose client returned the id.
    public SessionFacade join(String id) {
        SessionFacade session = sessions.join(id);
        if (session == null) {
            throw new AssertionError("no session has the id " + id);
        }
        return session;
    }

    /// Begins a use that no client began.
    public SessionFacade find(String id) {
        SessionFacade session = sessions.find(id);
        if (session == null) {
            throw new AssertionError("no session has the id " + id);
        }
        return session;
    }

    /// Returns whether a request with the id has a session.
    public boolean isAlive(String id) {
        SessionFacade session = sessions.find(id);
        if (session == null) {
            return false;
        }
        session.release();
        return true;
    }

    public List<String> takeEvents() {
        List<String> taken = List.copyOf(events);
        events.clear();
        return taken;
    }

    private final class Recorder implements SessionEvents {
        @Override
        public void created(HttpSession session) {
            events.add("created");
        }

        @Override
        public void destroyed(HttpSession session) {
            events.add("destroyed");
        }

        @Override
        public void idChanged(HttpSession session, String oldId) {
            events.add("id changed from " + oldId + " to " + session.getId());
        }

        @Override
        public void attributeAdded(HttpSession session, String name, Object value) {
            events.add("added " + name + "=" + value);
        }

        @Override
        public void attributeReplaced(HttpSession session, String name, Object oldValue) {
            events.add("replaced " + name + "=" + oldValue);
        }

        @Override
        public void attributeRemoved(HttpSession session, String name, Object oldValue) {
            events.add("removed " + name + "=" + oldValue);
        }
    }

    /// Keeps sessions in memory, and lets a test do something between two steps.
    private final class HookedStore implements SessionStore {
        private final MemorySessions memory = new MemorySessions();

        @Override
        public boolean add(String id, Session session) {
            take(beforeAdd, () -> beforeAdd = () -> {});
            return memory.add(id, session);
        }

        @Override
        public @Nullable Session get(String id) {
            Session found = memory.get(id);
            take(afterGet, () -> afterGet = () -> {});
            return found;
        }

        @Override
        public void remove(String id, Session session) {
            memory.remove(id, session);
        }

        @Override
        public void released(Session session) {
            memory.released(session);
            released.incrementAndGet();
        }

        @Override
        public void close(Consumer<Session> end) {
            memory.close(end);
        }

        @Override
        public void open(Sessions owner) {
            memory.open(owner);
        }

        @Override
        public void follow(SessionStore earlier) {
            memory.follow(earlier);
        }

        @Override
        public void handOver(Consumer<Session> end) {
            memory.handOver(end);
        }

        @Override
        public Sessions newest(Sessions own) {
            return memory.newest(own);
        }

        @Override
        public @Nullable Session peek(String id) {
            return memory.peek(id);
        }

        @Override
        public boolean hasOthers() {
            return memory.hasOthers();
        }

        @Override
        public int inMemory() {
            return memory.inMemory();
        }

        @Override
        public boolean endsEverywhere(Session session, SessionEnd reason) {
            return memory.endsEverywhere(session, reason);
        }

        @Override
        public void forget(Session session) {
            memory.forget(session);
        }

        @Override
        public void check(String name, Object value) {
            memory.check(name, value);
        }

        @Override
        public void save(Session session) {
            memory.save(session);
        }

        @Override
        public void trim() {
            memory.trim();
        }

        @Override
        public boolean makeRoom() {
            return memory.makeRoom();
        }

        @Override
        public void tick() {
            memory.tick();
        }

        @Override
        public SessionStore.Figures figures() {
            return memory.figures();
        }

        /// Runs a hook once.
        private static void take(Runnable hook, Runnable clear) {
            clear.run();
            hook.run();
        }
    }

    private record Log(List<String> logged) implements System.Logger {
        @Override
        public String getName() {
            return "test";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, String message, Throwable thrown) {
            logged.add(level + " " + message + ": " + thrown.getMessage());
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, String format, Object... parameters) {
            logged.add(level + " " + format);
        }
    }
}
