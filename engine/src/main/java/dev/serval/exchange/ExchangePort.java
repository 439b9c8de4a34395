package dev.serval.exchange;

import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.Fault;

/// What carries a [ServerExchange]: a connection, or a stream of one. Called on the loop.
///
/// The carrier calls its exchange, and looks with [ServerExchange#isFinished] what came of it after
/// the call returned. The exchange never calls back into the carrier for that from below a handler.
public interface ExchangePort {
    /// What is known of the connection.
    ConnectionFacts facts();

    /// Names the carrier for thread dumps: "connection 17, stream 3".
    String name();

    /// The exchange changed outside a call of its carrier: the carrier looks at it soon, after the
    /// present calls have returned.
    void changed();

    /// A command of the loop that belongs to the exchange was carried out: the carrier looks at the
    /// exchange now.
    void resumed();

    /// The exchange waits for something else than before: its deadline may have moved.
    void rearm();

    /// Ends both directions of a tunnel; what was not sent is lost unless `why` is
    /// [Fault#SHUTDOWN].
    void closeTunnel(Fault why);
}
