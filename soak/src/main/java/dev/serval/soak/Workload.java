package dev.serval.soak;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// Does what application code may do with its thread. Each kind checks what the JDK guarantees
/// meanwhile: its thread, thread-locals and locks. A broken guarantee is an exception, and so an
/// unexpected answer with status 500. All loops share the locks. Any thread.
final class Workload implements AutoCloseable {
    private static final int LOCKS = 4; // few, so that some threads wait for each other
    private static final int DEPTH = 1000;

    private final Object[] monitors = new Object[LOCKS];
    private final int[] guarded = new int[LOCKS]; // each guarded by its monitor
    private final ReentrantLock lock = new ReentrantLock();
    private final Semaphore semaphore = new Semaphore(2);
    private final ConcurrentHashMap<Integer, Long> map = new ConcurrentHashMap<>();
    private final ThreadLocal<Long> local = new ThreadLocal<>();
    private final BlockingQueue<Waiting> waiting = new LinkedBlockingQueue<>();
    private final MethodHandle usleep;
    private final byte[] slowClass;
    private final Thread foreign;

    /// A thread that parks until it is woken.
    private record Waiting(Thread thread, AtomicBoolean woken) {}

    @SuppressWarnings("restricted") // the signature is the C library's
    Workload() {
        for (int i = 0; i < LOCKS; i++) {
            monitors[i] = new Object();
        }
        Linker linker = Linker.nativeLinker();
        usleep =
                linker.downcallHandle(
                        linker.defaultLookup().findOrThrow("usleep"),
                        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        try (InputStream in = Workload.class.getResourceAsStream("SlowClass.class")) {
            if (in == null) {
                throw new IllegalStateException("Cannot find SlowClass.class among the resources");
            }
            slowClass = in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        foreign = Thread.ofPlatform().daemon().name("soak-foreign").start(this::wakeOthers);
    }

    @Override
    public void close() {
        foreign.interrupt();
    }

    /// Does the work of one request.
    ///
    /// @throws Exception for [Kind#FAILURE], and if the JDK broke a guarantee
    void act(Kind kind, long seed) throws Exception {
        Thread self = Thread.currentThread();
        int lockIndex = (int) (seed % LOCKS);
        switch (kind) {
            case SPIN -> spin(1_000_000 * (1 + seed % 50));
            case SLEEP -> Thread.sleep(seed % 60);
            case YIELD -> yieldOften();
            case MONITOR -> monitor(lockIndex);
            case OWN_MONITOR -> ownMonitor(seed);
            case LOCK -> locked();
            case SEMAPHORE -> withPermit();
            case WAIT_NOTIFY -> waitAndNotify(lockIndex);
            case COMPUTE -> map.compute((int) (seed % 16), (_, was) -> spin(was == null ? 0 : 1));
            case CHILDREN -> children();
            case EXECUTOR -> executor(seed);
            case FUTURE -> future(seed);
            case FAILURE -> throw new IllegalStateException("meant: application code fails");
            case FOREIGN_PARK -> parkUntilWoken();
            case THREAD_LOCAL -> threadLocal(seed);
            case NATIVE -> usleep((int) (seed % 20_000));
            case INITIALISER -> MethodHandles.lookup().defineHiddenClass(slowClass, true);
            case RECURSION -> check(depth(DEPTH) == DEPTH, "depth");
            case INTERRUPT -> interrupted();
            case ECHO, UPLOAD, DOWNLOAD, FILE -> {}
        }
        check(self.equals(Thread.currentThread()), "the thread changed");
        check(!Thread.interrupted(), "interrupted without a cause");
    }

    private static long spin(long nanos) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos) {
            Thread.onSpinWait();
        }
        return start;
    }

    @SuppressWarnings("ThreadPriorityCheck") // the test is about yielding
    private static void yieldOften() {
        for (int i = 0; i < 20; i++) {
            Thread.yield();
        }
    }

    private void monitor(int index) throws InterruptedException {
        synchronized (monitors[index]) {
            int before = ++guarded[index];
            Thread.sleep(1);
            check(Thread.holdsLock(monitors[index]), "the monitor is lost");
            spin(before % 8 == 0 ? 4_000_000 : 0);
            check(guarded[index] == before, "another thread was in the monitor");
        }
    }

    private static void ownMonitor(long seed) throws InterruptedException {
        synchronized (Thread.currentThread()) {
            Thread.sleep(seed % 5);
            spin(seed % 4 == 0 ? 4_000_000 : 0);
        }
    }

    private void locked() throws InterruptedException {
        lock.lock();
        try {
            Thread.sleep(0, 200_000);
            spin(500_000);
            check(lock.isHeldByCurrentThread(), "the lock is lost");
        } finally {
            lock.unlock();
        }
    }

    private void withPermit() throws InterruptedException {
        semaphore.acquire();
        try {
            Thread.sleep(1);
        } finally {
            semaphore.release();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // waits only for time or a notification
    private void waitAndNotify(int index) throws InterruptedException {
        synchronized (monitors[index]) {
            monitors[index].notifyAll();
            monitors[index].wait(3);
            check(Thread.holdsLock(monitors[index]), "the monitor is lost");
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // the test is about yielding
    private static void children() throws InterruptedException {
        AtomicBoolean[] ran = {new AtomicBoolean(), new AtomicBoolean(), new AtomicBoolean()};
        List<Thread> threads = new ArrayList<>();
        for (AtomicBoolean one : ran) {
            threads.add(
                    Thread.startVirtualThread(() -> {
                        Thread.yield();
                        one.set(true);
                    }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        check(ran[0].get() && ran[1].get() && ran[2].get(), "a child did not run");
    }

    private static void executor(long seed) throws Exception {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Long> one = executor.submit(() -> slept(seed));
            Future<Long> other = executor.submit(() -> slept(~seed));
            check(one.get() == seed && other.get() == ~seed, "a task's result");
        }
    }

    private static long slept(long value) throws InterruptedException {
        Thread.sleep(1);
        return value;
    }

    private static void future(long seed) throws Exception {
        long sum =
                CompletableFuture.supplyAsync(() -> seed)
                        .thenCombine(CompletableFuture.supplyAsync(() -> 1L), Long::sum)
                        .get();
        check(sum == seed + 1, "a future's result");
    }

    private void parkUntilWoken() {
        AtomicBoolean woken = new AtomicBoolean();
        waiting.add(new Waiting(Thread.currentThread(), woken));
        while (!woken.get()) {
            LockSupport.park(this);
        }
    }

    private void wakeOthers() {
        try {
            while (true) {
                Waiting one = waiting.take();
                one.woken.set(true);
                LockSupport.unpark(one.thread);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // the test is about yielding
    private void threadLocal(long seed) throws InterruptedException {
        check(local.get() == null, "another thread's thread-local");
        local.set(seed);
        Thread.sleep(1);
        spin(3_000_000);
        Thread.yield();
        check(local.get() == seed, "the thread-local is lost");
    }

    private void usleep(int micros) {
        try {
            check((int) usleep.invokeExact(micros) == 0, "usleep");
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static int depth(int left) {
        return left == 0 ? 0 : 1 + depth(left - 1);
    }

    private static void interrupted() {
        Thread.currentThread().interrupt();
        try {
            Thread.sleep(1000);
            throw new IllegalStateException("the interrupt is lost");
        } catch (InterruptedException e) {
            check(!Thread.currentThread().isInterrupted(), "still interrupted");
        }
    }

    private static void check(boolean right, String what) {
        if (!right) {
            throw new IllegalStateException("The JDK broke a guarantee: " + what);
        }
    }
}
