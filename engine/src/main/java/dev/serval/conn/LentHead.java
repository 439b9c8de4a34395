package dev.serval.conn;

import dev.serval.exchange.ExchangeLoop;
import dev.serval.exchange.ServerExchange;
import dev.serval.http.RequestHead;
import dev.serval.http.RequestHeadWriter;
import org.jspecify.annotations.Nullable;

/// The request head that the loop lends to a connection or a stream, from its first bytes until no
/// task reads it. Owned by the loop.
final class LentHead {
    private final ExchangeLoop loop;
    private @Nullable RequestHeadWriter lent;

    LentHead(ExchangeLoop loop) {
        this.loop = loop;
    }

    /// Returns the writer of the head, which is lent if it is not yet.
    RequestHeadWriter writer() {
        if (lent == null) {
            lent = loop.lendHead();
        }
        return lent;
    }

    /// Returns the head that was read.
    RequestHead head() {
        return writer().head();
    }

    /// Counts the memory that the head gained, after a codec wrote to it.
    void grown() {
        loop.grown(writer());
    }

    /// Returns the bytes of memory that the head takes.
    long heldBytes() {
        return lent == null ? 0 : lent.memoryBytes();
    }

    /// Ends the loan if no task reads the head any more. A head that application code may still read
    /// is left to it.
    void leave(ServerExchange exchange) {
        if (!exchange.isFinished()) {
            return;
        }
        if (lent != null && exchange.isRetired()) {
            loop.abandon(lent);
            lent = null;
        }
        giveBack();
    }

    /// Gives back a head that no exchange has seen.
    void giveBack() {
        if (lent != null) {
            loop.giveBack(lent);
            lent = null;
        }
    }
}
