package dev.serval.net;

/// Is told what a [Transport] is ready for. A connection is one; so is a layer between a transport and
/// its connection, such as TLS. Called on the loop, once a turn.
public interface Readiness {
    /// The transport can be read, or written, or both.
    void ready(boolean readable, boolean writable);

    /// The peer is gone, seen while neither reading nor writing was asked for.
    void broken();
}
