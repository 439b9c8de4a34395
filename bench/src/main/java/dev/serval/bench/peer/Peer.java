package dev.serval.bench.peer;

import java.io.IOException;
import java.util.Optional;

/// A server that takes part. Each class finds, configures and starts one kind of server. All serve
/// the same folder, keep connections open without a limit and write no access log.
public interface Peer {
    /// Returns the peer's name in scenarios.
    String name();

    /// Returns why the peer is missing on this machine and what to do, or empty if it is present.
    Optional<String> missing();

    /// Returns the peer's version as text. Called only if the peer is present.
    String version();

    /// Starts the peer in the foreground, and returns after it answers.
    RunningPeer start(Stage stage) throws IOException;
}
