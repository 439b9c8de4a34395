package dev.serval.server;

import static java.lang.System.Logger.Level.WARNING;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Receives the signals of a server, and waits for those that stop it: SIGINT (Ctrl-C) and SIGTERM.
/// After the first, [#await] returns. The second ends the process at once with 128 + its number, as
/// shells expect. A signal within half a second of the first is ignored. `timeout` and other programs
/// between the terminal and the server send each signal to the server and to its process group.
///
/// A shutdown hook, the JDK's public way, gets no second signal. `sun.misc.Signal` does, and the
/// module jdk.unsupported exports it. The class is used by reflection, because javac's warning
/// about it cannot be suppressed. Without a configuration file SIGHUP is left to the JVM. A SIGHUP or
/// SIGUSR1 that comes before the server can carry it out is carried out later, because it would end the
/// process otherwise.
final class StopSignals {
    private static final System.Logger LOG = System.getLogger(StopSignals.class.getName());
    private static final int SIGINT = 2;
    private static final int SIGTERM = 15;
    private static final long SAME_NANOS = 500_000_000;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch installed = new CountDownLatch(1);
    private final LongSupplier clock;
    private final IntConsumer end;
    private final Pending hangUp = new Pending();
    private final Pending user1 = new Pending();
    private final CountDownLatch started = new CountDownLatch(1);
    private @Nullable Early early; // null before it is known
    private int first; // the number of the first signal; 0 without one
    private long askedNanos;
    private volatile boolean interrupted; // by SIGINT

    /// What becomes of a first signal that comes while the server starts.
    ///
    /// @param atMost how long the start may still take
    /// @param tell says so
    private record Early(Duration atMost, Runnable tell) {}

    /// Creates a state without handlers.
    ///
    /// @param clock in nanoseconds
    /// @param end ends the process at once with an exit code
    StopSignals(LongSupplier clock, IntConsumer end) {
        this.clock = clock;
        this.end = end;
    }

    /// Starts to install the signal handlers, which replace those of the JVM for good. It runs
    /// on a separate thread, because it takes as long as the caller's other work at start.
    ///
    /// @param reloads whether [#onHangUp] will be called
    static StopSignals install(boolean reloads) {
        StopSignals signals = new StopSignals(System::nanoTime, Runtime.getRuntime()::halt);
        Thread.ofPlatform().daemon().name("serval-link").start(() -> signals.listen(reloads));
        return signals;
    }

    /// Waits until the handlers are installed. On a JDK without that class, the JVM ends the
    /// process at the first signal, as usual.
    void awaitInstalled() {
        boolean done = false;
        while (!done) {
            done = await(installed, Long.MAX_VALUE);
        }
    }

    /// Limits a start during which the first signal comes, because nothing can interrupt an application
    /// that starts: the process ends if [#await] is not called within `atMost`.
    ///
    /// @param tell runs at that signal, on a thread of its own
    synchronized void duringStart(Duration atMost, Runnable tell) {
        early = new Early(atMost, tell);
        if (first != 0) {
            limitStart();
        }
    }

    private void limitStart() {
        @Nullable Early limit = early;
        if (limit == null || started.getCount() == 0) {
            return;
        }
        int exitCode = 128 + first;
        Thread.ofPlatform()
                .daemon()
                .name("serval-stop")
                .start(() -> {
                    limit.tell().run();
                    if (!await(started, limit.atMost().toNanos())) {
                        end.accept(exitCode);
                    }
                });
    }

    /// Waits for the first stop signal. Runs `upkeep` after each `pause` meanwhile.
    void await(Duration pause, Runnable upkeep) {
        started.countDown();
        while (!await(asked, pause.toNanos())) {
            upkeep.run();
        }
    }

    /// Returns whether the first signal was SIGINT, as Ctrl-C sends it.
    boolean isInterrupted() {
        return interrupted;
    }

    /// @return whether the latch has opened; an interrupt may end the wait early
    private static boolean await(CountDownLatch latch, long nanos) {
        try {
            return latch.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            // Only signals stop the server, so the main thread ignores interrupts.
            return latch.getCount() == 0;
        }
    }

    /// Asks for the stop, as a first signal does.
    synchronized void ask() {
        if (asked.getCount() > 0) {
            askedNanos = clock.getAsLong();
            asked.countDown();
        }
    }

    private void listen(boolean reloads) {
        try {
            listen("INT", new Arrival(() -> arrived(SIGINT)));
            listen("TERM", new Arrival(() -> arrived(SIGTERM)));
            on("USR1", "open the log files again", user1);
            if (reloads) {
                on("HUP", "reload the configuration", hangUp);
            }
        } catch (ReflectiveOperationException e) {
            LOG.log(WARNING, "Any signal ends the process at once: " + e);
        } finally {
            installed.countDown();
        }
    }

    /// Has `action` run, on a thread of its own, at each SIGHUP, and now if there was one already. The
    /// JVM leaves the signal ignored if `nohup` has asked for that.
    void onHangUp(Runnable action) {
        hangUp.set(action);
    }

    /// Has `action` run, on a thread of its own, at each SIGUSR1, and now if there was one already.
    void onUser1(Runnable action) {
        user1.set(action);
    }

    private static void on(String name, String purpose, Runnable action) {
        try {
            listen(name, new Arrival(action));
        } catch (ReflectiveOperationException e) {
            LOG.log(WARNING, "SIG" + name + " does not " + purpose + ": " + e);
        }
    }

    private static void listen(String name, Arrival arrival) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> listener = Class.forName("sun.misc.SignalHandler");
        Object hearing =
                Proxy.newProxyInstance(
                        listener.getClassLoader(), new Class<?>[] {listener}, arrival);
        @Nullable Object _ =
                signal.getMethod("handle", signal, listener)
                        .invoke(
                                null,
                                signal.getConstructor(String.class).newInstance(name),
                                hearing);
    }

    /// Handles a signal, on a thread that the JVM creates for each one.
    synchronized void arrived(int number) {
        long now = clock.getAsLong();
        if (asked.getCount() > 0) {
            askedNanos = now;
            interrupted = number == SIGINT;
            first = number;
            asked.countDown();
            limitStart();
        } else if (now - askedNanos > SAME_NANOS) {
            end.accept(128 + number);
        }
    }

    /// What a signal does that may come before that is known. It runs once at a time: signals that come
    /// meanwhile have it run once more. Any thread.
    static final class Pending implements Runnable {
        private @Nullable Runnable action;
        private boolean early; // a signal came
        private boolean running;
        private boolean again; // a signal came while it ran

        @Override
        public void run() {
            @Nullable Runnable known = begin();
            boolean done = false;
            try {
                while (known != null) {
                    known.run();
                    known = next();
                }
                done = true;
            } finally {
                if (!done) {
                    fail();
                }
            }
        }

        private synchronized @Nullable Runnable begin() {
            early = action == null;
            again = running;
            if (running || action == null) {
                return null;
            }
            running = true;
            return action;
        }

        private synchronized @Nullable Runnable next() {
            running = again;
            again = false;
            return running ? action : null;
        }

        private synchronized void fail() {
            running = false;
        }

        void set(Runnable next) {
            if (learn(next)) {
                run();
            }
        }

        private synchronized boolean learn(Runnable next) {
            action = next;
            return early;
        }
    }

    /// The handler that the JVM calls for one signal.
    private record Arrival(Runnable action) implements InvocationHandler {
        @Override
        public @Nullable Object invoke(
                Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
            if (method.getName().equals("handle")) {
                action.run();
            }
            return null;
        }
    }
}
