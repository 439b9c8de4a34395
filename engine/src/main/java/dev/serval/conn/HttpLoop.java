package dev.serval.conn;

import dev.serval.exchange.ServiceLoop;
import dev.serval.http.RequestHeadWriter;
import dev.serval.http1.DateLine;
import dev.serval.http1.RequestParser;
import dev.serval.http1.ResponseEncoder;
import dev.serval.net.Input;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import java.util.Set;

/// What the HTTP connections of one listener share on one loop: codecs and the Date line. Owned by
/// the loop.
final class HttpLoop {
    private final ServiceLoop service;
    private final Set<Leniency> leniency;
    private final ResponseEncoder encoder = new ResponseEncoder();
    private final DateLine dateLine = new DateLine();
    private RequestParser parser;
    private Limits.Heads parserLimits;

    /// The HTTP side of one loop's part in a service.
    ///
    /// @param leniency deviations from RFC 9112 that are accepted
    HttpLoop(ServiceLoop service, Set<Leniency> leniency) {
        this.service = service;
        this.leniency = leniency;
        this.parserLimits = service.limits().head();
        this.parser = new RequestParser(parserLimits, leniency);
    }

    ServiceLoop service() {
        return service;
    }

    /// The limits in force.
    Limits limits() {
        return service.limits();
    }

    /// The parser with the limits in force.
    RequestParser parser() {
        Limits.Heads inForce = limits().head();
        if (!inForce.equals(parserLimits)) {
            parserLimits = inForce;
            parser = new RequestParser(inForce, leniency);
        }
        return parser;
    }

    /// Reads a head, whose first `scanned` bytes were looked at already, as [RequestParser#parse];
    /// the memory it takes is counted.
    int parse(Input in, int scanned, RequestHeadWriter head) {
        int length = parser().parse(in.array(), in.from(), in.to(), in.from() + scanned, head);
        service.exchanges().grown(head);
        return length;
    }

    ResponseEncoder encoder() {
        return encoder;
    }

    byte[] dateLine() {
        return dateLine.at(service.exchanges().loop().epochSeconds());
    }
}
