package dev.serval.bench.peer;

import java.io.IOException;
import java.util.Optional;

/// A server that takes part. Each class finds, configures and starts one kind of server. All serve
/// the same folder and keep connections open without a limit. They write an access log only on a
/// stage that asks for it.
public interface Peer {
    /// Returns the peer's name in scenarios.
    String name();

    /// Returns why the peer is missing on this machine and what to do, or empty if it is present.
    default Optional<String> missing() {
        return Optional.empty();
    }

    /// Returns the peer's version as text. Called only if the peer is present.
    String version();

    /// Returns whether the server runs in a JVM, whose heap, collections and allocation can be
    /// measured.
    default boolean java() {
        return true;
    }

    /// Returns its command and its configuration files with the reasons, for readers of a report.
    String configuration();

    /// Starts the peer in the foreground, and returns after it answers.
    RunningPeer start(Stage stage) throws IOException;
}
