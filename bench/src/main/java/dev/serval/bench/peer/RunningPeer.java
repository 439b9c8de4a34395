package dev.serval.bench.peer;

/// A started peer, which answers on the loopback address.
///
/// @param pid the root of its process tree
public record RunningPeer(String name, int port, long pid, Runnable stopping)
        implements AutoCloseable {
    @Override
    public void close() {
        stopping.run();
    }
}
