package dev.serval.soak.flood;

import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.Peers;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.Role;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.soak.subject.GcLog;
import dev.serval.soak.subject.LauncherPeer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Represents a server under a flood and what the system reports of its processes. Used by one
/// thread.
///
/// @param gcLog the log of its collector; the file does not exist if the server has none
record FloodSubject(Peer peer, RunningPeer running, Path gcLog) implements AutoCloseable {
    private static final String GC_LOG = "gc.log";

    /// Starts the server of a source tree, with a log of its collector.
    static FloodSubject serval(Stage stage, FloodSettings settings) throws IOException {
        Path log = stage.folder().resolve(GC_LOG);
        Files.deleteIfExists(log);
        List<String> options = new ArrayList<>(settings.jvmOptions());
        options.add("-Xmx" + settings.heapMegabytes() + "m");
        options.add("-Xlog:gc:file=" + log);
        Peer peer = new LauncherPeer(settings.launcher(), options);
        return new FloodSubject(peer, peer.start(stage), log);
    }

    /// Starts nginx.
    static FloodSubject nginx(Stage stage) throws IOException {
        Peer peer = Peers.shipped("nginx-bounded", Role.FILES).named("nginx");
        return new FloodSubject(peer, peer.start(stage), stage.folder().resolve("no-" + GC_LOG));
    }

    /// Returns the sum of its processes' maximum resident memory, in megabytes.
    long residentMaxMegabytes(Proc proc) throws IOException {
        long bytes = 0;
        for (long pid : pids()) {
            bytes += proc.statusBytes(pid, "VmHWM");
        }
        return bytes >> 20;
    }

    /// Returns the number of file descriptors that all of its processes have open now.
    long descriptors() throws IOException {
        long open = 0;
        for (long pid : pids()) {
            try (Stream<Path> all = Files.list(Path.of("/proc", String.valueOf(pid), "fd"))) {
                open += all.count();
            }
        }
        return open;
    }

    /// Returns what its collector did after byte `from` of its log, or zeros if it has no
    /// collector.
    GcLog collected(long from) throws IOException {
        return Files.exists(gcLog) ? GcLog.read(gcLog, from) : new GcLog(0, 0, 0);
    }

    /// Returns the bytes that its collector has written so far.
    long collectorWrote() throws IOException {
        return Files.exists(gcLog) ? Files.size(gcLog) : 0;
    }

    /// Returns what it printed on both streams.
    String output(Stage stage) throws IOException {
        return Files.readString(stage.folder().resolve(peer.name()).resolve("output.log"));
    }

    private List<Long> pids() {
        List<Long> pids = new ArrayList<>();
        pids.add(running.pid());
        ProcessHandle.of(running.pid()).stream()
                .flatMap(ProcessHandle::descendants)
                .forEach(child -> pids.add(child.pid()));
        return pids;
    }

    @Override
    public void close() {
        running.close();
    }
}
