package dev.serval.bench.peer;

import java.io.IOException;
import java.util.Optional;

/// A server that takes part. One class each: how it is found, configured and started. All serve the
/// same folder, keep connections open without bound and write no access log.
public interface Peer {
    /// What scenarios call it.
    String name();

    /// Why it cannot take part on this machine, and what to do about it; empty where it can.
    Optional<String> missing();

    /// Its version in words. Asked only where it is not missing.
    String version();

    /// Starts it in the foreground; when this returns it answers.
    RunningPeer start(Stage stage) throws IOException;
}
