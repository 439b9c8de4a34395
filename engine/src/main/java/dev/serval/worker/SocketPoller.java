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
///                    ▲                  │
///                    └────── take ──────┘
/// ```
///
/// While it is TAKEN, an event loop polls it, so that a Worker that waits for a database continues
/// on the loop that saw the answer. While it is ALONE, a virtual thread of the JDK's scheduler polls it, as
/// the JDK itself does. See docs/decisions/0020-sockets-of-workers-on-the-event-loop.md. Any thread
/// may call [#take] and [#release]; only the taker polls.
public final class SocketPoller {
    private enum State {
        NEW,
        TAKEN,
        ALONE
    }

    /// What the JDK has for it.
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

    private final Jdk jdk;
    private State state = State.NEW; // under this lock
    private @Nullable Thread alone; // under this lock
    private volatile boolean wanted; // by a taker, who waits for the end of that thread

    SocketPoller(Jdk jdk) {
        this.jdk = jdk;
    }

    /// Returns the descriptor of the epoll instance, which is readable while a socket in it is ready.
    public int descriptor() {
        return jdk.descriptor();
    }

    /// Makes the caller the only one that polls, until [#release].
    ///
    /// @return false if another caller is that already
    synchronized boolean take() {
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

    /// Lets a thread of its own poll from now on, because the taker no longer does.
    synchronized void release() {
        Thread next = WorkerThreads.carriedBy(WorkerThreads.ofOthers(), this::pollAlone);
        WorkerThreads.name(next, "serval-sockets");
        alone = next;
        state = State.ALONE;
        next.start();
    }

    /// Wakes the threads whose sockets are ready. Does not wait.
    public void poll() {
        int _ = jdk.poll();
    }

    private void pollAlone() {
        while (!wanted) {
            if (jdk.poll() == 0) {
                jdk.await();
            }
        }
    }
}
