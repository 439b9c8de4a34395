package dev.serval.worker;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One of the JDK's pollers: an epoll instance that holds sockets, each with the virtual thread that
/// waits for it. The JDK has a few for the whole JVM, and chooses one by the number of the socket's
/// descriptor.
///
/// ```
///          take            release
///   NEW ─────────▶ TAKEN ───────────▶ ALONE
///    ▲             │  ▲                 │
///    └── no thread ┘  └───── take ──────┘
/// ```
///
/// While it is NEW, nothing polls. While it is TAKEN, an event loop polls it, so that a Worker that waits for a database continues
/// on the loop that saw the answer. While it is ALONE, a virtual thread of the JDK's scheduler polls it, as
/// the JDK itself does. See docs/decisions/0020-sockets-of-workers-on-the-event-loop.md. Any thread
/// may call [#take] and [#release]; only the caller for whom `take` returned true polls.
public final class SocketPoller {
    private enum State {
        NEW,
        TAKEN,
        ALONE
    }

    /// The calls of the JDK's poller.
    interface Jdk {
        /// Returns the descriptor of the epoll instance.
        int descriptor();

        /// Wakes the threads whose sockets are ready, without waiting.
        ///
        /// @return how many sockets were ready
        int poll();

        /// Parks the calling virtual thread until a socket may be ready, or until it is unparked.
        void await();
    }

    private static final long PAUSE_NANOS = 100_000_000;

    private final Jdk jdk;
    private State state = State.NEW; // under this lock
    private @Nullable Thread alone; // under this lock
    private volatile boolean wanted; // a caller of take waits until that thread has ended

    SocketPoller(Jdk jdk) {
        this.jdk = jdk;
    }

    /// Returns the descriptor of the epoll instance, which is readable while a socket in it is ready.
    public int descriptor() {
        return jdk.descriptor();
    }

    /// Makes the caller the only one that polls, until [#release].
    ///
    /// @return false if another caller polls already
    public synchronized boolean take() {
        if (state == State.TAKEN) {
            return false;
        }
        @Nullable Thread before = alone;
        if (before != null) {
            wanted = true;
            LockSupport.unpark(before);
            WorkerThreads.awaitEnd(before);
            wanted = false;
            alone = null;
        }
        state = State.TAKEN;
        return true;
    }

    /// Lets a thread of its own poll from now on, because the taker no longer does. If no thread
    /// can be started, nothing polls until the next [#take].
    public synchronized void release() {
        state = State.NEW;
        Thread next = WorkerThreads.carriedBy(WorkerThreads.ofOthers(), this::pollAlone);
        WorkerThreads.name(next, "serval-sockets");
        next.start();
        alone = next;
        state = State.ALONE;
    }

    /// Wakes the threads whose sockets are ready. Does not wait.
    public void poll() {
        int _ = jdk.poll();
    }

    private void pollAlone() {
        while (!wanted) {
            try {
                if (jdk.poll() == 0 && !wanted) {
                    jdk.await();
                }
            } catch (Throwable e) { // such as no memory: nothing else would poll
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }
}
