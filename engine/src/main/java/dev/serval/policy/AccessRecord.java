package dev.serval.policy;

import dev.serval.handler.ConnectionFacts;
import dev.serval.http.RequestHead;
import org.jspecify.annotations.Nullable;

/// Describes an exchange that ended, for the access log. It is a view of the exchange and is valid
/// only during [Listener#ended].
public interface AccessRecord {
    /// Receives the records. Called on the loop, so it must not block.
    @FunctionalInterface
    interface Listener {
        /// Ignores all records.
        Listener NONE = _ -> {};

        /// Receives the record of an exchange that ended.
        void ended(AccessRecord exchange);
    }

    /// Returns whether the request's head could be read. If not, only the status is known.
    boolean hasRequest();

    /// Returns the request's head as the client sent it, if [#hasRequest].
    RequestHead request();

    /// Returns the user who has logged in at a rule of the mount, or null.
    default @Nullable String user() {
        return null;
    }

    /// Returns the connection.
    ConnectionFacts connection();

    /// Returns the final status, or 0 if the exchange ended without one.
    int status();

    /// Returns the bytes of content sent or handed to the transport.
    long contentBytes();

    /// Returns the time of the monotonic clock at which the head was complete.
    long startedNanos();

    /// Returns the present time of the monotonic clock.
    long nowNanos();
}
