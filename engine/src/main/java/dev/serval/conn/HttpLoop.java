package dev.serval.conn;

import dev.serval.exchange.ServiceLoop;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHeadWriter;
import dev.serval.http1.DateLine;
import dev.serval.http1.RequestParser;
import dev.serval.http1.ResponseEncoder;
import dev.serval.net.Input;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Holds what the HTTP connections of one listener share on one loop: the codecs and the Date line.
/// Owned by the loop.
final class HttpLoop {
    private final ServiceLoop service;
    private final Set<Leniency> leniency;
    private final ResponseEncoder encoder = new ResponseEncoder();
    private final DateLine dateLine = new DateLine();
    private final Entrance.@Nullable Drivers http2;
    private RequestParser parser;
    private Limits.Heads parserLimits;

    /// Creates the shared state of one listener on one loop.
    ///
    /// @param leniency deviations from RFC 9112 that are accepted
    /// @param http2 creates the drivers of connections that begin with the preface of HTTP/2, or null
    HttpLoop(ServiceLoop service, Set<Leniency> leniency, Entrance.@Nullable Drivers http2) {
        this.http2 = http2;
        this.service = service;
        this.leniency = leniency;
        this.parserLimits = service.limits().head();
        this.parser = new RequestParser(parserLimits, leniency);
    }

    /// Returns what creates the drivers of connections that begin with the preface of HTTP/2; null if
    /// it is not served.
    Entrance.@Nullable Drivers http2() {
        return limits().http2().enabled() ? http2 : null;
    }

    ServiceLoop service() {
        return service;
    }

    /// Returns the limits in force.
    Limits limits() {
        return service.limits();
    }

    /// Returns a parser for the limits in force.
    private RequestParser parser() {
        Limits.Heads inForce = limits().head();
        if (!inForce.equals(parserLimits)) {
            parserLimits = inForce;
            parser = new RequestParser(inForce, leniency);
        }
        return parser;
    }

    /// Parses a head as [RequestParser#parse] does, and counts the memory that it takes. The first
    /// `scanned` bytes were parsed before.
    int parse(Input in, int scanned, RequestHeadWriter head) {
        int length = parser().parse(in.array(), in.from(), in.to(), in.from() + scanned, head);
        service.exchanges().grown(head);
        return length;
    }

    /// Returns whether the connection may serve another request after the head that was parsed last.
    boolean persistent() {
        return parser.persistent();
    }

    /// Returns the rule that the head broke that was parsed last.
    ProtocolError error() {
        @Nullable ProtocolError error = parser.error();
        return error != null ? error : UnreadHead.CUT_SHORT;
    }

    ResponseEncoder encoder() {
        return encoder;
    }

    byte[] dateLine() {
        return dateLine.at(service.exchanges().loop().epochSeconds());
    }
}
