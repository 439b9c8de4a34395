package dev.serval.conformance;

import dev.serval.testkit.RawClient;

/// How the bytes of a row reach the server. The answer must not depend on where TCP cuts them.
enum Delivery {
    /// In one piece.
    WHOLE,
    /// Byte by byte; long input in 500 pieces.
    DRIBBLED;

    private static final int PIECES_MAX = 500;

    void send(RawClient client, byte[] bytes) {
        switch (this) {
            case WHOLE -> client.send(bytes);
            case DRIBBLED -> client.sendInPieces(bytes, bytes.length / PIECES_MAX + 1);
        }
    }
}
