package dev.serval.soak;

import dev.serval.Folder;
import dev.serval.Serval;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// Runs a soak: two loops, some hundred connections, every [Kind] of request, and the [Hammer]. At
/// the end no connections, Workers, threads, file descriptors or heap may be left.
public final class WorkerSoak {
    private static final int LOOPS = 2;
    private static final long HEAP_GROWTH_MAX_BYTES = 48 << 20;
    private static final int DESCRIPTOR_GROWTH_MAX = 8; // those that the JDK opens
    private static final Duration REST = Duration.ofSeconds(20);

    private final Duration length;
    private final int connections;
    private final PrintStream out;

    public WorkerSoak(Duration length, int connections, PrintStream out) {
        this.length = length;
        this.connections = connections;
        this.out = out;
    }

    /// Runs the soak and prints its results.
    ///
    /// @return whether every answer was right, no request hung and nothing was left
    public boolean run() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("serval-soak");
        Path file = folder.resolve("file.bin");
        Files.write(file, Kind.FILE.answer(0));
        Limits limits =
                Limits.DEFAULT.with(
                        draft -> draft.workers.startNanos = Duration.ofSeconds(29).toNanos());
        try (Workload workload = new Workload()) {
            Serval server =
                    Serval.builder()
                            .listen(0)
                            .loops(LOOPS)
                            .limits(limits)
                            .mount("/workload", new Application(workload))
                            .mount("/files", Folder.of(folder))
                            .start();
            out.println("Workers: " + server.workerThreads() + "; " + server.transport());
            return run(server);
        } finally {
            Files.delete(file);
            Files.delete(folder);
        }
    }

    private boolean run(Serval server) throws InterruptedException {
        // Classes, pools and buffers are created in the first part. Growth counts only after it.
        SoakResult warm = load(server, length.dividedBy(4), 1);
        long heap = rest(server, warm);
        out.print("First part: " + warm.text());
        if (!warm.passed()) {
            return false; // the server ends with the JVM
        }
        long descriptors = descriptors();
        Hammer hammer = new Hammer(server);
        Thread hammering = Thread.ofPlatform().daemon().name("soak-hammer").start(hammer);
        SoakResult result = load(server, length.multipliedBy(3).dividedBy(4), 2);
        hammering.interrupt();
        hammering.join();
        int kept = server.keptThreads();
        long heapGrowth = rest(server, result) - heap;
        long descriptorGrowth = descriptors() - descriptors;
        if (heapGrowth > HEAP_GROWTH_MAX_BYTES) {
            result.fault("The heap grew by " + heapGrowth + " bytes");
        }
        if (descriptorGrowth > DESCRIPTOR_GROWTH_MAX) {
            result.fault("File descriptors grew by " + descriptorGrowth);
        }
        end(server, result);
        out.print("Second part: " + result.text());
        out.printf(
                "%,d preemptions, %d threads kept at the end of the load, %,d stack traces, mappings to the pool %d, heap %+,d bytes, descriptors %+d%n",
                server.preemptions(),
                kept,
                hammer.stacks(),
                server.metrics().sum(Counter.MAPPINGS_TO_POOL),
                heapGrowth,
                descriptorGrowth);
        return result.passed();
    }

    private SoakResult load(Serval server, Duration time, long seed) throws InterruptedException {
        SoakResult result = new SoakResult(System.nanoTime() + time.toNanos(), Kind.values());
        SocketAddress address = server.addresses().getFirst();
        SplittableRandom random = new SplittableRandom(seed);
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            SoakClient client = new SoakClient(address, result, random.split());
            clients.add(Thread.ofVirtual().name("soak-client-" + i).start(client));
        }
        for (Thread client : clients) {
            client.join();
        }
        return result;
    }

    /// Waits until no work is in progress.
    ///
    /// @return bytes in use on the heap
    private long rest(Serval server, SoakResult result) throws InterruptedException {
        become("connections", result, () -> server.connections() == 0);
        become("Workers", result, () -> server.workers() == 0);
        become("kept threads", result, () -> server.keptThreads() == 0);
        long started = server.metrics().sum(Counter.WORKERS_STARTED);
        if (started != server.metrics().sum(Counter.WORKERS_ENDED)) {
            result.fault("The end of some of " + started + " Workers was not counted");
        }
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(50);
            Runtime runtime = Runtime.getRuntime();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    private static void become(String what, SoakResult result, BooleanSupplier none)
            throws InterruptedException {
        long end = System.nanoTime() + REST.toNanos();
        while (!none.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                result.fault("Still left after " + REST.toSeconds() + " s: " + what);
                return;
            }
            Thread.sleep(5);
        }
    }

    /// Closes the server. The pool's threads end by themselves after their work is done.
    private static void end(Serval server, SoakResult result) throws InterruptedException {
        Thread ending = Thread.ofPlatform().daemon().name("soak-end").start(server::close);
        become("the closing server", result, () -> !ending.isAlive());
        become(
                "threads of the server",
                result,
                () ->
                        Thread.getAllStackTraces().keySet().stream()
                                .noneMatch(one -> one.getName().startsWith("serval-")));
    }

    private static long descriptors() {
        Path folder = Path.of("/proc/self/fd");
        if (!Files.isDirectory(folder)) {
            return 0; // only Linux has this folder
        }
        try (Stream<Path> open = Files.list(folder)) {
            return open.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
