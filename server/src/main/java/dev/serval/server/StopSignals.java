package dev.serval.server;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Waits for the signals that ask a server to stop: SIGINT (Ctrl-C) and SIGTERM. The first lets
/// [#await] return; the second ends the process at once with 128 + its number, as a shell expects.
/// What comes within half a second of the first is the first: `timeout`, and others between a
/// terminal and us, send each signal to us and to our process group.
///
/// The JDK's own way, a shutdown hook, cannot hear the second one. Its `sun.misc.Signal` can, and is
/// exported by jdk.unsupported, but javac warns of it and lets nobody suppress that: hence the
/// reflection. SIGHUP is left to the JVM, which leaves it ignored where `nohup` asked for that.
final class StopSignals {
    private static final int SIGINT = 2;
    private static final int SIGTERM = 15;
    private static final long SAME_NANOS = 500_000_000;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch installed = new CountDownLatch(1);
    private final LongSupplier clock;
    private final IntConsumer end;
    private long askedNanos;

    /// @param clock in nanoseconds
    /// @param end ends the process at once with an exit code
    StopSignals(LongSupplier clock, IntConsumer end) {
        this.clock = clock;
        this.end = end;
    }

    /// Takes the signals over from the JVM, for good, soon: on a thread of its own, since that takes
    /// as long as what the caller does meanwhile.
    static StopSignals install() {
        StopSignals signals = new StopSignals(System::nanoTime, Runtime.getRuntime()::halt);
        Thread.ofPlatform().daemon().name("serval-link").start(signals::listen);
        return signals;
    }

    /// Returns once the signals are taken over. On a JDK that has no such class the JVM ends the
    /// process at the first signal, as it always does.
    void awaitInstalled() {
        await(installed);
    }

    /// Returns once a stop was asked for.
    void await() {
        await(asked);
    }

    private static void await(CountDownLatch latch) {
        boolean waiting = true;
        while (waiting) {
            try {
                latch.await();
                waiting = false;
            } catch (InterruptedException e) {
                // Nobody interrupts the main thread to stop the server: signals do that.
            }
        }
    }

    private void listen() {
        try {
            listen("INT", SIGINT);
            listen("TERM", SIGTERM);
        } catch (ReflectiveOperationException e) {
            System.getLogger(StopSignals.class.getName())
                    .log(System.Logger.Level.WARNING, "Signals end the process at once: " + e);
        } finally {
            installed.countDown();
        }
    }

    private void listen(String name, int number) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> listener = Class.forName("sun.misc.SignalHandler");
        Object hearing =
                Proxy.newProxyInstance(
                        listener.getClassLoader(),
                        new Class<?>[] {listener},
                        new Arrival(this, number));
        @Nullable Object _ =
                signal.getMethod("handle", signal, listener)
                        .invoke(
                                null,
                                signal.getConstructor(String.class).newInstance(name),
                                hearing);
    }

    /// Runs on a thread that the JVM makes for each signal.
    synchronized void arrived(int number) {
        long now = clock.getAsLong();
        if (asked.getCount() > 0) {
            askedNanos = now;
            asked.countDown();
        } else if (now - askedNanos > SAME_NANOS) {
            end.accept(128 + number);
        }
    }

    /// What the JVM calls for one signal.
    private record Arrival(StopSignals signals, int number) implements InvocationHandler {
        @Override
        public @Nullable Object invoke(
                Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
            if (method.getName().equals("handle")) {
                signals.arrived(number);
            }
            return null;
        }
    }
}
