package dev.serval.bench.peer;

/// A peer that answers on the loopback address.
///
/// @param name the peer's
/// @param port it listens on
/// @param pid of the root of its process tree
/// @param stopping ends it
public record RunningPeer(String name, int port, long pid, Runnable stopping)
        implements AutoCloseable {
    @Override
    public void close() {
        stopping.run();
    }
}
