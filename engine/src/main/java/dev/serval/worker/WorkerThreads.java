package dev.serval.worker;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// How Workers get their threads: the one place that knows about the JDK's inside.
///
/// The JDK has no public way yet to say what carries a virtual thread. Its own builder has one, which
/// is open to us with `--add-opens java.base/java.lang=ALL-UNNAMED` (or `=dev.serval.engine` on the
/// module path); the executable jar asks for it in its manifest. Without it, Workers are virtual
/// threads of the JDK's scheduler: dearer, and all else is the same.
public final class WorkerThreads {
    /// What carries them.
    public enum Kind {
        /// The loop that owns the connection; the pool where that is better.
        LOOP,
        /// The JDK's scheduler of virtual threads.
        VIRTUAL,
        /// Platform threads, one for each Worker.
        PLATFORM
    }

    private static final JdkAccess JDK_ACCESS = JdkAccess.open();

    /// Threads for Workers that a loop should not carry.
    @FunctionalInterface
    public interface Pool extends Executor {
        /// Whether all its threads are at work, so that what it is given waits. Any thread.
        default boolean isFull() {
            return false;
        }
    }

    private final Kind kind;
    private final Pool pool;

    /// Threads of that kind.
    ///
    /// @param kind what carries them
    /// @param pool carries Workers that a loop should not, or runs all of them where the kind is
    ///     PLATFORM; takes all it is given
    /// @throws IllegalArgumentException for LOOP where [#closed] says why not
    public WorkerThreads(Kind kind, Pool pool) {
        if (kind == Kind.LOOP && closed() != null) {
            throw new IllegalArgumentException("Loops cannot carry virtual threads: " + closed());
        }
        this.kind = kind;
        this.pool = pool;
    }

    /// The best kind that can be had here.
    public static Kind best() {
        return closed() == null ? Kind.LOOP : Kind.VIRTUAL;
    }

    /// Why loops cannot carry virtual threads in this JVM, or null if they can.
    public static @Nullable String closed() {
        return JDK_ACCESS.closed;
    }

    /// What carries them.
    public Kind kind() {
        return kind;
    }

    Pool pool() {
        return pool;
    }

    /// A virtual thread whose parts are run by `carrier`.
    static Thread carriedBy(Executor carrier, Runnable body) {
        return JDK_ACCESS.make(carrier, body);
    }

    /// Names a virtual thread that [#carriedBy] made, or who carried it. `Thread.setName` takes the
    /// thread's monitor, which application code may hold while it waits for the loop.
    static void name(Thread thread, String name) {
        JDK_ACCESS.name(thread, name);
    }

    /// What carries a virtual thread that application code started and that is nobody's Worker.
    static Executor ofOthers() {
        return JDK_ACCESS.others;
    }

    /// The JDK's inside, tried out once.
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
                return access.works() ? access : shut("this JDK schedules them otherwise");
            } catch (IllegalAccessException e) {
                Module own = WorkerThreads.class.getModule();
                String target = own.isNamed() ? own.getName() : "ALL-UNNAMED";
                return shut("start java with --add-opens java.base/java.lang=" + target);
            } catch (Throwable e) { // whatever a method handle may throw
                return shut("this JDK's inside is another (" + e + ")");
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
            @Nullable VarHandle known = names;
            if (known != null) {
                known.setVolatile(thread, name);
            }
        }

        Thread make(Executor carrier, Runnable body) {
            @Nullable MethodHandle made = maker;
            if (made == null) {
                throw new IllegalStateException(closed);
            }
            try {
                return (Thread) made.invokeExact(carrier, (String) null, 0, body);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }

        /// Whether the thread runs where it is told to.
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
            boolean interrupted = false;
            while (probe.isAlive()) {
                try {
                    probe.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return ran.get() == 1 && carried.get() == 1;
        }
    }
}
