package dev.serval.policy;

import dev.serval.handler.ConnectionFacts;
import dev.serval.http.RequestHead;

/// What is known of an exchange that ended, for the access log. A view of the exchange: valid during
/// the call that hands it over.
public interface AccessRecord {
    /// Takes the records. Called on the loop, so it never blocks.
    @FunctionalInterface
    interface Listener {
        /// Hears of nothing.
        Listener NONE = _ -> {};

        /// One exchange ended.
        void ended(AccessRecord exchange);
    }

    /// Whether the request's head could be read; if not, there is only a status.
    boolean hasRequest();

    /// The request's head, where [#hasRequest].
    RequestHead request();

    /// The connection.
    ConnectionFacts connection();

    /// The final status; 0 where the exchange ended without one.
    int status();

    /// Bytes of content sent or handed to the transport.
    long contentBytes();

    /// Monotonic clock when the head was complete.
    long startedNanos();

    /// Monotonic clock now.
    long nowNanos();
}
