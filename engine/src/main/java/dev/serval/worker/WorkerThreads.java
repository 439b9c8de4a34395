package dev.serval.worker;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Creates the threads of Workers. Only this class uses the JDK's internals of virtual threads;
/// [SocketPollers] uses those of their sockets.
///
/// The JDK has no public API yet to choose what carries a virtual thread. Only its internal builder
/// can. Access to it needs `--add-opens java.base/java.lang=ALL-UNNAMED` (or `=dev.serval.engine`
/// on the module path), and the manifest of the executable jar sets that option. Without it,
/// Workers are virtual threads of the JDK's scheduler: these cost more, and everything else is the
/// same.
public final class WorkerThreads {
    /// The ways to carry Workers.
    public enum Kind {
        /// The loop that owns the connection carries them, or the pool if that is better.
        LOOP,
        /// The JDK's scheduler of virtual threads carries them.
        VIRTUAL,
        /// Each Worker is a platform thread.
        PLATFORM
    }

    /// The stack size of threads that carry application code.
    public static final long STACK_BYTES = 1 << 20;

    private static final JdkAccess JDK_ACCESS = JdkAccess.open();

    /// The threads that carry Workers which a loop should not carry.
    @FunctionalInterface
    public interface Pool extends Executor {
        /// Returns whether all its threads are busy, so that new work waits. Any thread.
        default boolean isFull() {
            return false;
        }

        /// Runs work that continues what the pool or a loop has begun, before work that has not
        /// begun. Any thread.
        default void resume(Runnable work) {
            execute(work);
        }

        /// Returns how long new work would wait until it begins, as far as the last pieces tell. Any
        /// thread.
        default long waitNanos() {
            return 0;
        }

        /// Returns the standing delay of new work since the last call. One thread at a time.
        default long standingNanos(long nowNanos) {
            return 0;
        }
    }

    private final Kind kind;
    private final Pool pool;
    private final StartQueue scheduled = new StartQueue(); // if the JDK's scheduler carries them

    /// Creates threads of the given kind.
    ///
    /// @param kind what carries the Workers
    /// @param pool carries Workers that a loop should not carry, or runs all Workers if the kind is
    ///     PLATFORM; accepts all work
    /// @throws IllegalArgumentException for LOOP if [#closed] is not null
    public WorkerThreads(Kind kind, Pool pool) {
        if (kind == Kind.LOOP && closed() != null) {
            throw new IllegalArgumentException("Loops cannot carry virtual threads: " + closed());
        }
        this.kind = kind;
        this.pool = pool;
    }

    /// Returns the best kind that this JVM supports.
    public static Kind best() {
        return closed() == null ? Kind.LOOP : Kind.VIRTUAL;
    }

    /// Returns why loops cannot carry virtual threads in this JVM, or null if they can.
    public static @Nullable String closed() {
        return JDK_ACCESS.closed;
    }

    /// Returns the standing delay of Workers that no loop carries, since the last call. One thread at
    /// a time.
    public long standingNanos(long nowNanos) {
        return Math.max(pool.standingNanos(nowNanos), scheduled.look(nowNanos));
    }

    /// Returns the Workers that wait for the JDK's scheduler.
    StartQueue scheduled() {
        return scheduled;
    }

    /// Returns what carries the Workers.
    public Kind kind() {
        return kind;
    }

    Pool pool() {
        return pool;
    }

    /// Creates a virtual thread whose parts `carrier` runs.
    static Thread carriedBy(Executor carrier, Runnable body) {
        return JDK_ACCESS.make(carrier, body);
    }

    /// Names a virtual thread that [#carriedBy] created, or its carrier. It does not call
    /// `Thread.setName`, which takes the thread's monitor. Application code may hold that while it
    /// waits for the loop.
    static void name(Thread thread, String name) {
        JDK_ACCESS.name(thread, name);
    }

    /// Returns the scheduler of the virtual threads that application code starts itself.
    static Executor ofOthers() {
        return JDK_ACCESS.others;
    }

    /// Waits until a thread has ended. An interrupt does not end the wait, and remains set.
    static void awaitEnd(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// The access to internals of the JDK, tested once.
    private record JdkAccess(
            @Nullable MethodHandle maker,
            @Nullable VarHandle names,
            Executor others,
            @Nullable String closed) {
        static JdkAccess open() {
            try {
                MethodHandles.Lookup all =
                        MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
                MethodHandle maker =
                        all.findStatic(
                                Class.forName("java.lang.ThreadBuilders"),
                                "newVirtualThread",
                                MethodType.methodType(
                                        Thread.class,
                                        Executor.class,
                                        String.class,
                                        int.class,
                                        Runnable.class));
                MethodHandle others =
                        all.findStatic(
                                Class.forName("java.lang.VirtualThread"),
                                "defaultScheduler",
                                MethodType.methodType(Executor.class));
                VarHandle names = all.findVarHandle(Thread.class, "name", String.class);
                JdkAccess access =
                        new JdkAccess(maker, names, (Executor) others.invokeExact(), null);
                return access.works() ? access : shut("this JDK schedules them differently");
            } catch (IllegalAccessException e) {
                Module own = WorkerThreads.class.getModule();
                String target = own.isNamed() ? own.getName() : "ALL-UNNAMED";
                return shut("start java with --add-opens java.base/java.lang=" + target);
            } catch (Throwable e) { // a method handle may throw anything
                return shut("the internals of this JDK differ (" + e + ")");
            }
        }

        private static JdkAccess shut(String why) {
            Executor none =
                    _ -> {
                        throw new RejectedExecutionException(why);
                    };
            return new JdkAccess(null, null, none, why);
        }

        void name(Thread thread, String name) {
            if (names != null) {
                names.setVolatile(thread, name);
            }
        }

        Thread make(Executor carrier, Runnable body) {
            if (maker == null) {
                throw new IllegalStateException(closed);
            }
            try {
                return (Thread) maker.invokeExact(carrier, (String) null, 0, body);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }

        /// Returns whether the carrier runs the thread.
        private boolean works() {
            AtomicInteger ran = new AtomicInteger();
            AtomicInteger carried = new AtomicInteger();
            Executor carrier =
                    part -> {
                        carried.incrementAndGet();
                        Thread.ofPlatform().daemon().name("serval-probe").start(part);
                    };
            Thread probe = make(carrier, ran::incrementAndGet);
            probe.start();
            awaitEnd(probe);
            return ran.get() == 1 && carried.get() == 1;
        }
    }
}
