package dev.serval.bench.peer;

import java.util.List;

/// The servers in Java, whose JVM can have options of a cell. Stateless.
public final class JvmPeers {
    private JvmPeers() {}

    /// Returns whether a peer is a server in Java with a JVM of its own.
    public static boolean isJava(Peer peer) {
        return peer.java() && (peer instanceof ServalPeer || peer instanceof FilePeer);
    }

    /// Returns a peer with additional options of its JVM, which follow its own.
    public static Peer with(Peer peer, List<String> options) {
        return switch (peer) {
            case ServalPeer serval -> serval.with(options);
            case FilePeer container -> container.with(options);
            default -> throw new BenchFailure(peer.name() + " is not a server in Java");
        };
    }
}
