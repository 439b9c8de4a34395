package dev.serval.bench.peer;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/// The processes that this run has started. All end with the run: a shutdown hook stops them after
/// Ctrl-C. Thread-safe, because the hook has its own thread.
public final class Children implements AutoCloseable {
    private static final long STOP_SECONDS = 30;

    private final Set<Process> live = ConcurrentHashMap.newKeySet();
    private final Thread hook = new Thread(this::stopAll, "stop-children");
    private final Runnable afterwards;
    private volatile boolean closing;

    /// Makes an empty set of processes and registers its shutdown hook.
    ///
    /// @param afterwards runs after all processes have ended, perhaps twice
    public Children(Runnable afterwards) {
        this.afterwards = afterwards;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /// Starts a process, which is stopped at the end of the run.
    public Process start(ProcessBuilder builder) throws IOException {
        if (closing) {
            throw new IOException("stopping");
        }
        Process process = builder.start();
        live.add(process);
        if (closing) {
            stop(process);
        }
        return process;
    }

    /// Ends a process and all its descendants. A process that does not end within 30 s is killed.
    public void stop(Process process) {
        List<ProcessHandle> tree = process.descendants().toList();
        process.destroy();
        if (!waited(process)) {
            process.destroyForcibly();
        }
        // A server that did not wait for its workers leaves orphans.
        tree.forEach(ProcessHandle::destroyForcibly);
        live.remove(process);
    }

    private static boolean waited(Process process) {
        try {
            return process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Returns whether the run is over or was interrupted, so that no more processes are started.
    public boolean closing() {
        return closing;
    }

    private void stopAll() {
        closing = true;
        List<Process> rest = List.copyOf(live);
        rest.forEach(Process::destroy);
        rest.forEach(this::stop);
        afterwards.run();
    }

    @Override
    public void close() {
        stopAll();
        removeHook(hook);
    }

    /// Removes what runs as the JVM shuts down, if it does not shut down yet.
    public static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is shutting down, and the running hook does the same.
            return;
        }
    }
}
