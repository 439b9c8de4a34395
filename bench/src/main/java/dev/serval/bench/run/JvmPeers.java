package dev.serval.bench.run;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.FilePeer;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.ServalPeer;
import java.util.List;

/// The servers in Java, whose JVM can have options of a cell. Stateless.
final class JvmPeers {
    private JvmPeers() {}

    /// Returns whether a peer is a server in Java with a JVM of its own.
    static boolean isJava(Peer peer) {
        return peer.java() && (peer instanceof ServalPeer || peer instanceof FilePeer);
    }

    /// Returns a peer with additional options of its JVM, which follow its own.
    static Peer with(Peer peer, List<String> options) {
        return switch (peer) {
            case ServalPeer serval -> serval.with(options);
            case FilePeer container -> container.with(options);
            default -> throw new BenchFailure(peer.name() + " is not a server in Java");
        };
    }
}
