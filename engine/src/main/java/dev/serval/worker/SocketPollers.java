package dev.serval.worker;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The [SocketPoller]s of this JVM. Only this class uses the JDK's internals of them.
///
/// The JDK starts a virtual thread for each poller when a virtual thread waits for a socket for the
/// first time. This class does that earlier, in a virtual thread whose scheduler is a [Holder]. The
/// threads of the pollers inherit this scheduler, which never runs them. So no thread polls, and loops
/// can. That needs `java.base/sun.nio.ch` and `java.base/java.lang` to be open, and a JVM in which no virtual
/// thread has waited for a socket yet. Otherwise there are no pollers here, and the JDK's threads
/// poll. Stateless but for the list, which is made once. Any thread.
public final class SocketPollers {
    private static final Logger LOG = System.getLogger(SocketPollers.class.getName());
    private static final String JDK_CLASS = "sun.nio.ch.Poller";

    /// All that the JVM has. They are the JVM's state, not a server's: its servers share them.
    private static final List<SocketPoller> ALL = open();

    private SocketPollers() {}

    /// Returns the pollers that one of the loops of a server should take; none if the JDK keeps them.
    ///
    /// @param loop the index of the loop
    /// @param loops how many loops the server has
    public static List<SocketPoller> share(int loop, int loops) {
        return IntStream.range(0, ALL.size())
                .filter(i -> i % loops == loop)
                .mapToObj(ALL::get)
                .toList();
    }

    private static List<SocketPoller> open() {
        if (WorkerThreads.closed() != null) {
            return List.of();
        }
        List<Runnable> held = List.of();
        try {
            Class<?> type = Class.forName(JDK_CLASS, false, null);
            MethodHandles.Lookup access =
                    MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            Calls calls = Calls.of(type, access);
            held = held();
            List<Object> pollers = new ArrayList<>((List<?>) calls.readers().invoke());
            pollers.addAll((List<?>) calls.writers().invoke());
            if (held.size() == pollers.size()) { // otherwise the JDK has started them before
                List<SocketPoller> open = new ArrayList<>();
                for (Object one : pollers) {
                    open.add(new SocketPoller(JdkPoller.of(one, calls)));
                }
                return List.copyOf(open);
            }
        } catch (Throwable e) { // another JDK; a method handle may throw anything
            LOG.log(Level.DEBUG, "Loops cannot poll the sockets of virtual threads", e);
        }
        held.forEach(WorkerThreads.ofOthers()::execute); // the JDK's threads poll
        return List.of();
    }

    /// Has the JDK make its pollers, and returns the first parts of their threads, which have not
    /// run.
    private static List<Runnable> held() {
        Holder holder = new Holder();
        Thread maker = WorkerThreads.carriedBy(holder, new Maker());
        maker.start();
        WorkerThreads.awaitEnd(maker);
        return holder.given();
    }

    /// Initializes the JDK's class. It is no lambda: [SocketPollers] is not initialized itself yet.
    private record Maker() implements Runnable {
        @Override
        public void run() {
            try {
                Class.forName(JDK_CLASS, true, null);
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /// The scheduler of the maker's thread and of those that it starts. It runs the first, and keeps the
    /// others.
    private static final class Holder implements Executor {
        private @Nullable Runnable maker; // under this lock
        private @Nullable List<Runnable> kept = new ArrayList<>(); // under this lock

        @Override
        public synchronized void execute(Runnable part) {
            @Nullable Runnable first = maker;
            @Nullable List<Runnable> keeping = kept;
            if (first == null || part.equals(first)) {
                maker = part;
                Thread.ofPlatform().daemon().name("serval-probe").start(part);
            } else if (keeping != null) {
                keeping.add(part);
            } else {
                WorkerThreads.ofOthers().execute(part);
            }
        }

        /// Returns what it has kept, and keeps nothing from now on.
        synchronized List<Runnable> given() {
            @Nullable List<Runnable> all = kept;
            kept = null;
            return all == null ? List.of() : all;
        }
    }

    /// The JDK's calls.
    ///
    /// @param readers returns the pollers for sockets that threads read from
    /// @param writers returns the pollers for sockets that threads write to
    /// @param poll wakes threads, without waiting, and returns how many sockets were ready
    /// @param descriptor returns the descriptor of a poller's epoll instance
    /// @param await parks a virtual thread until an epoll instance is readable
    private record Calls(
            MethodHandle readers,
            MethodHandle writers,
            MethodHandle poll,
            MethodHandle descriptor,
            MethodHandle await) {
        static Calls of(Class<?> type, MethodHandles.Lookup access)
                throws ReflectiveOperationException {
            MethodType list = MethodType.methodType(List.class);
            MethodType number = MethodType.methodType(int.class);
            return new Calls(
                    access.findStatic(type, "readPollers", list),
                    access.findStatic(type, "writePollers", list),
                    access.findVirtual(type, "poll", number.appendParameterTypes(int.class)),
                    access.findVirtual(type, "fdVal", number),
                    access.findStatic(
                            type,
                            "pollSelector",
                            MethodType.methodType(void.class, int.class, long.class)));
        }
    }

    /// A poller of the JDK.
    ///
    /// @param call wakes the threads whose sockets are ready, and returns how many were; no arguments
    /// @param pause parks a virtual thread until its epoll instance is readable; no arguments
    private record JdkPoller(MethodHandle call, MethodHandle pause, int descriptor)
            implements SocketPoller.Jdk {
        private static JdkPoller of(Object poller, Calls calls) throws Throwable {
            int descriptor = (int) calls.descriptor().invoke(poller);
            return new JdkPoller(
                    MethodHandles.insertArguments(calls.poll(), 0, poller, 0),
                    MethodHandles.insertArguments(calls.await(), 0, descriptor, 0L),
                    descriptor);
        }

        @Override
        public int poll() {
            try {
                return (int) call.invokeExact();
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) { // an IOException
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void await() {
            try {
                pause.invokeExact();
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) { // an IOException
                throw new IllegalStateException(e);
            }
        }
    }
}
