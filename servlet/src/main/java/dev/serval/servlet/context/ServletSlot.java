package dev.serval.servlet.context;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.ServletDescription;
import dev.serval.servlet.inject.ComponentFactory;
import dev.serval.servlet.pages.PlainConfig;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.UnavailableException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Holds one servlet from its declaration to its end, in the states of its `State`.
///
/// A request calls [#servlet], which is one volatile read. If that returns null, it calls
/// [#obtain], which may create the servlet and block. The calling thread must be allowed to block,
/// and must have the context class loader of the application. One thread creates the servlet. The
/// others wait and share the outcome.
public final class ServletSlot {
    /// The life of a servlet (Servlet 6.1 §2.3).
    ///
    /// ```
    ///                     init returned
    ///   NEW ─────────────────────────────────────► AVAILABLE
    ///   ▲ │ │                                        ▲ │ │
    ///   │ │ └─ init: for a time ──► SUSPENDED ───────┘ │ │
    ///   │ │                          │ │  ▲  time over │ │
    ///   │ │       init failed        │ │  └────────────┘ │
    ///   └─┼──────────────────────────┘ │    service:     │ service:
    ///     │                            │    for a time   │ for good
    ///     │ init: for good             │ init: for good  ▼
    ///     └────────────────────────────┴──────────────► REMOVED
    /// ```
    ///
    /// "For good" and "for a time" are the kinds of UnavailableException. After the time, the
    /// instance serves again, or a new one is initialised if there is none. An `init` that fails in
    /// another way leads to NEW, and the next request tries again. Every state leads to DESTROYED
    /// when the application stops.
    private enum State {
        /// No instance yet.
        NEW,
        /// An instance serves requests.
        AVAILABLE,
        /// No request is served until a time. There may be an instance.
        SUSPENDED,
        /// No request is ever served again. The instance is kept until the stop, because other
        /// requests may still use it.
        REMOVED,
        /// The application has stopped, and there is no instance.
        DESTROYED
    }

    /// The time without requests if a servlet does not say how long it is unavailable.
    private static final int SUSPENSION_SECONDS = 60;

    private final ServletDescription description;
    private final ServletConfig config;
    private final AppContext context;
    private final ComponentFactory components;
    private final LongSupplier nanoClock;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Servlet available; // set exactly in the state AVAILABLE
    private volatile int attempts; // to create the servlet
    // Below: guarded by the lock
    private State state;
    private @Nullable Servlet instance; // after init returned, until it is destroyed
    private Availability outcome; // of the last attempt
    private long suspendedUntilNanos;

    /// Creates the slot of a servlet, without loading its class.
    ///
    /// @param nanoClock the time, as System#nanoTime
    ServletSlot(
            ServletDescription description,
            AppContext context,
            ComponentFactory components,
            LongSupplier nanoClock) {
        this.description = description;
        this.context = context;
        this.components = components;
        this.nanoClock = nanoClock;
        config = new PlainConfig(description.name(), context, description.initParams());
        state = description.enabled() ? State.NEW : State.REMOVED;
        outcome = new Availability.Gone();
    }

    /// Returns the servlet's declaration.
    public ServletDescription description() {
        return description;
    }

    /// Returns the servlet's configuration.
    public ServletConfig config() {
        return config;
    }

    /// Returns the servlet if it serves requests; null if the caller must call [#obtain].
    public @Nullable Servlet servlet() {
        return available;
    }

    /// Returns the servlet, which this call may create, or the reason why there is none.
    public Availability obtain() {
        if (lock.isHeldByCurrentThread()) {
            return new Availability.Failed(
                    new ServletException(
                            text() + " calls itself while its init runs. Remove that call."));
        }
        int before = attempts;
        lock.lock();
        try {
            return switch (state) {
                case NEW -> attempts == before ? create() : outcome;
                case AVAILABLE -> outcome;
                case SUSPENDED -> resume();
                case REMOVED, DESTROYED -> new Availability.Gone();
            };
        } finally {
            lock.unlock();
        }
    }

    /// Takes the servlet out of service, because its `service` threw the exception
    /// (Servlet 6.1 §2.3.3.2). The instance is destroyed at the stop, because other requests may
    /// still use it.
    ///
    /// @return the outcome for the request
    public Availability unavailable(UnavailableException thrown) {
        lock.lock();
        try {
            if (state == State.AVAILABLE) {
                available = null;
                log(WARNING, "is unavailable", thrown);
                return leave(thrown);
            }
            return state == State.SUSPENDED ? later() : new Availability.Gone();
        } finally {
            lock.unlock();
        }
    }

    /// Loads the class of the servlet, so that faults appear at the start.
    ///
    /// @throws DescriptorException if it is missing or not a servlet
    void check() throws DescriptorException {
        if (!(description.component() instanceof Component.JspFile)) {
            components.load(description.component(), Servlet.class, description.origin());
        }
    }

    /// Destroys the servlet, once. No request uses it any more.
    void destroy() {
        lock.lock();
        try {
            available = null;
            state = State.DESTROYED;
            @Nullable Servlet last = instance;
            instance = null;
            if (last != null) {
                destroy(last);
            }
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private Availability create() {
        state = State.NEW;
        try {
            outcome = initialize();
        } finally {
            attempts++;
        }
        return outcome;
    }

    private Availability initialize() {
        Servlet servlet;
        try {
            servlet =
                    components.create(description.component(), Servlet.class, description.origin());
        } catch (DescriptorException wrong) {
            log(ERROR, "cannot be created", wrong);
            return new Availability.Failed(wrong);
        }
        try {
            servlet.init(config);
        } catch (UnavailableException thrown) {
            release(servlet);
            log(WARNING, "is unavailable", thrown);
            return leave(thrown);
        } catch (Throwable thrown) {
            release(servlet);
            log(ERROR, "failed in init", thrown);
            return new Availability.Failed(thrown);
        }
        instance = servlet;
        available = servlet;
        state = State.AVAILABLE;
        return new Availability.Ready(servlet);
    }

    private Availability leave(UnavailableException thrown) {
        if (thrown.isPermanent()) {
            state = State.REMOVED;
            return new Availability.Gone();
        }
        int declared = thrown.getUnavailableSeconds();
        int seconds = declared > 0 ? declared : SUSPENSION_SECONDS;
        suspendedUntilNanos = nanoClock.getAsLong() + TimeUnit.SECONDS.toNanos(seconds);
        state = State.SUSPENDED;
        return later();
    }

    private Availability resume() {
        if (suspendedUntilNanos - nanoClock.getAsLong() > 0) {
            return later();
        }
        if (instance == null) {
            return create();
        }
        state = State.AVAILABLE;
        available = instance;
        outcome = new Availability.Ready(instance);
        return outcome;
    }

    private Availability later() {
        long left = Math.max(1, suspendedUntilNanos - nanoClock.getAsLong());
        return new Availability.Later(Math.ceilDiv(left, TimeUnit.SECONDS.toNanos(1)));
    }

    private void destroy(Servlet servlet) {
        try {
            servlet.destroy();
        } catch (Throwable thrown) {
            log(ERROR, "failed in destroy", thrown);
        }
        release(servlet);
    }

    private void release(Servlet servlet) {
        if (!(description.component() instanceof Component.Instance)
                || context.hasCreated(servlet)) {
            components.destroy(servlet);
        }
    }

    private void log(System.Logger.Level level, String what, Throwable thrown) {
        context.logger().log(level, text() + " " + what + ": " + thrown, thrown);
    }

    private String text() {
        return "The servlet \""
                + description.name()
                + "\" ("
                + description.component().text()
                + ")";
    }
}
