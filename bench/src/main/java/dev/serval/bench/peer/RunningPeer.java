package dev.serval.bench.peer;

/// A started peer, which answers on the loopback address.
///
/// @param name the peer's name
/// @param port the port it listens on
/// @param pid the root of its process tree
/// @param stopping ends the peer
public record RunningPeer(String name, int port, long pid, Runnable stopping)
        implements AutoCloseable {
    @Override
    public void close() {
        stopping.run();
    }
}
