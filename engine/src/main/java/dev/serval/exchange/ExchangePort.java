package dev.serval.exchange;

import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.Fault;
import dev.serval.handler.TunnelRequest;
import dev.serval.http.RequestHead;

/// The carrier of a [ServerExchange]: a connection, or a stream of one. Called on the loop.
///
/// The carrier calls its exchange. After each call returned, it checks the outcome with
/// [ServerExchange#isFinished]. The exchange never reports the outcome by a call to the carrier
/// from within a handler.
public interface ExchangePort {
    /// Returns the facts of the connection.
    ConnectionFacts facts();

    /// Returns whether and how a request asks for a tunnel in this protocol.
    TunnelRequest tunnel(RequestHead request);

    /// Returns the carrier's name for thread dumps: "connection 17, stream 3".
    String name();

    /// Returns the number of the stream of HTTP/2 (RFC 9113 §5.1.1); 0 if the connection has no
    /// streams.
    default int streamNumber() {
        return 0;
    }

    /// Reports that the exchange ended outside a call of a handler. The carrier checks the exchange
    /// soon, after the current calls have returned.
    void changed();

    /// Reports that a command of the loop for this exchange was carried out. The carrier checks the
    /// exchange now.
    void resumed();

    /// Reports that the exchange waits for another event than before, so its deadline may have
    /// moved.
    void rearm();

    /// Notes that the exchange ends if its client ends its half ([EngineExchange#endsWithClient]). A
    /// protocol whose streams report that a client has left needs nothing.
    default void endsWithClient() {}

    /// Returns what is recorded of the present exchange.
    default Figures figures() {
        return Figures.NONE;
    }

    /// Returns whether the connection may serve another exchange after the present one.
    default boolean persists() {
        return false;
    }

    /// Ends both directions of a tunnel. Unsent bytes are lost unless `why` is [Fault#SHUTDOWN].
    void closeTunnel(Fault why);

    /// What a carrier records of its present exchange, for the access log and the metrics. Called on the loop.
    interface Figures {
        /// Those of a carrier that records nothing.
        Figures NONE = new Figures() {};

        /// Returns the instant at which the connection was accepted; 0 if it is not known.
        default long acceptedNanos() {
            return 0;
        }

        /// Returns the instant at which the first byte of the present request arrived; 0 if it is not
        /// known.
        default long firstByteNanos() {
            return 0;
        }

        /// Returns the bytes received for the present exchange so far, with the head and all framing.
        default long receivedBytes() {
            return 0;
        }

        /// Returns the bytes sent or queued for the present exchange so far, with the head and all
        /// framing.
        default long sentBytes() {
            return 0;
        }

        /// Returns how many exchanges the connection had before the present one.
        default long earlierExchanges() {
            return 0;
        }
    }
}
