package dev.serval.bench.peer;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/// The processes this run has started. None outlives it: Ctrl-C stops them through a shutdown hook.
/// Thread-safe, for the hook's sake.
public final class Children implements AutoCloseable {
    private static final long STOP_SECONDS = 8;

    private final Set<Process> live = ConcurrentHashMap.newKeySet();
    private final Thread hook = new Thread(this::stopAll, "stop-children");
    private final Runnable afterwards;
    private volatile boolean closing;

    /// With its shutdown hook in place.
    ///
    /// @param afterwards what is done once all have ended; perhaps twice
    public Children(Runnable afterwards) {
        this.afterwards = afterwards;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /// Starts a process and watches over it.
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

    /// Ends a process and all its descendants: asked first, killed after some seconds.
    public void stop(Process process) {
        List<ProcessHandle> tree = process.descendants().toList();
        process.destroy();
        if (!waited(process)) {
            process.destroyForcibly();
        }
        // Orphans of a server that did not wait for its workers.
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

    /// Whether no more are started, since the run is over or was ended.
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
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is going down and the hook is running: it does the same.
            return;
        }
    }
}
