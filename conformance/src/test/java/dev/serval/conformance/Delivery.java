package dev.serval.conformance;

import dev.serval.testkit.RawClient;

/// How the octets of a row reach the server: what it answers may not depend on where TCP cut them.
enum Delivery {
    /// In one piece.
    WHOLE,
    /// Octet by octet; long things in 500 pieces.
    DRIBBLED;

    private static final int PIECES_MAX = 500;

    void send(RawClient client, byte[] octets) {
        switch (this) {
            case WHOLE -> client.send(octets);
            case DRIBBLED -> client.sendInPieces(octets, octets.length / PIECES_MAX + 1);
        }
    }
}
