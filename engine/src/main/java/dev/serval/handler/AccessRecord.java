package dev.serval.handler;

import dev.serval.http.RequestHead;
import dev.serval.http.ResponseHead;
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

        /// Returns whether the clock is read at the start and at the end of each exchange, and not
        /// only once a turn. Without it, an exchange of one turn takes no time.
        default boolean timed() {
            return false;
        }
    }

    /// Returns whether the request's head could be read. If not, only the connection, the times and
    /// the response are known.
    boolean hasRequest();

    /// Returns the request's head as the client sent it, if [#hasRequest].
    RequestHead request();

    /// Returns the user who has logged in at the application or at a rule of the mount, or null.
    default @Nullable String user() {
        return null;
    }

    /// Returns the connection.
    ConnectionFacts connection();

    /// Returns the number of the loop that calls the listener, from 0.
    default int loop() {
        return 0;
    }

    /// Returns the address of the client in ASCII, such as `192.0.2.7` or `2001:db8::7`. The array
    /// must not be changed.
    ///
    /// @param shortened whether only the network is named: 24 bits of IPv4, 48 bits of IPv6
    byte[] clientText(boolean shortened);

    /// Returns the final status, or 0 if the exchange ended without one.
    int status();

    /// Returns the head of the response, or null if none was sent. It does not have the fields that
    /// the connection adds, such as Date.
    default @Nullable ResponseHead response() {
        return null;
    }

    /// Returns the bytes of content sent or handed to the transport.
    long contentBytes();

    /// Returns the bytes received for this exchange, with the head and all framing.
    default long receivedBytes() {
        return 0;
    }

    /// Returns the bytes sent or handed to the transport for this exchange, with the head and all
    /// framing.
    default long sentBytes() {
        return 0;
    }

    /// Returns how many requests the connection had before this one.
    default long earlierRequests() {
        return 0;
    }

    /// Returns whether the connection may serve another request.
    default boolean persists() {
        return false;
    }

    /// Returns why the exchange ended early, or null.
    default @Nullable Fault fault() {
        return null;
    }

    /// Returns the time of the monotonic clock at which the head was complete.
    long startedNanos();

    /// Returns the instant at which the connection was accepted; 0 if it is not known.
    default long acceptedNanos() {
        return 0;
    }

    /// Returns the instant at which the first byte of the request arrived.
    default long firstByteNanos() {
        return startedNanos();
    }

    /// Returns how long the exchange has waited for a thread or for a connection to an upstream, as
    /// far as the listener is [Listener#timed].
    default long waitedNanos() {
        return 0;
    }

    /// Returns the instant at which the head of the response was sent, or 0 if it was not.
    default long respondedNanos() {
        return 0;
    }

    /// Returns the upstream or peer that was asked last, or null.
    default @Nullable String upstream() {
        return null;
    }

    /// Returns how long upstreams have had the request.
    default long upstreamNanos() {
        return 0;
    }

    /// Returns the head as the handlers have seen it, after the rules of the mount; null if the head
    /// could not be read.
    default @Nullable RequestHead handledRequest() {
        return hasRequest() ? request() : null;
    }

    /// Returns the present time of the monotonic clock.
    long nowNanos();

    /// Returns the wall clock at an instant of the monotonic clock, in microseconds since 1970.
    long epochMicros(long nanos);
}
