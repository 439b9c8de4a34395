package dev.serval.conn;

import dev.serval.exchange.ServerExchange;
import dev.serval.handler.TunnelRequest;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.HttpVersion;
import dev.serval.http.Method;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.RequestHeadWriter;
import dev.serval.http1.RequestParser;
import dev.serval.net.Input;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads the heads of a connection, one after the other, and keeps the last one.
///
/// The loop lends the head when the first bytes arrive. The head stays after its request has ended,
/// because most clients repeat their fields and a repeated head needs no parsing. [#giveBack]
/// returns it. Owned by the connection's loop.
final class Http1Head {
    /// The result of [#read].
    enum Result {
        /// The head is complete and consumed. [#head] returns it.
        COMPLETE,
        /// More bytes are needed.
        INCOMPLETE,
        /// The head breaks a rule. [#error] returns the rule.
        WRONG
    }

    private final HttpLoop http;
    private final Input in;
    private final LentHead lent;
    private boolean persistent; // the head that was read last allows another request
    private int scanned; // bytes of an incomplete head already parsed

    Http1Head(HttpLoop http, Input in) {
        this.http = http;
        this.in = in;
        this.lent = new LentHead(http.service().exchanges());
    }

    /// Reads one head from the input.
    Result read() {
        RequestHeadWriter next = lent.writer();
        boolean repeated = next.repeats(in.array(), in.from(), in.to());
        int length = repeated ? next.length() : http.parse(in, scanned, next);
        if (length == RequestParser.NEED_MORE) {
            scanned = in.length();
            return Result.INCOMPLETE;
        }
        if (length == RequestParser.ERROR) {
            return Result.WRONG;
        }
        if (!repeated) {
            persistent = http.persistent();
        }
        in.consume(length);
        scanned = 0;
        return Result.COMPLETE;
    }

    /// Returns the rule that the head breaks, after [Result#WRONG].
    ProtocolError error() {
        return http.error();
    }

    /// Returns the head that was read last.
    RequestHead head() {
        return lent.head();
    }

    /// Returns whether the client leaves the connection open for another HTTP/1.1 request after the
    /// last one (RFC 9112 §9.3).
    boolean persists() {
        return persistent && head().method() != Method.CONNECT; // a tunnel may follow
    }

    /// Returns whether the client announced that no request follows (RFC 9112 §9.6).
    boolean isLastOfClient() {
        return !persistent;
    }

    /// Returns whether the request asks for a tunnel: by Upgrade, which HTTP/1.0 does not have, and which
    /// counts only if Connection names it (RFC 9110 §7.8). A proxy that does not know the field passes it
    /// on without that. Extended CONNECT needs streams.
    static TunnelRequest tunnel(RequestHead request) {
        Fields fields = request.fields();
        @Nullable String protocols = fields.combined(FieldName.UPGRADE);
        if (protocols == null
                || request.version() != HttpVersion.HTTP_1_1
                || !namesUpgrade(fields)) {
            return TunnelRequest.NONE;
        }
        return new TunnelRequest.ByUpgrade(protocols);
    }

    private static boolean namesUpgrade(Fields fields) {
        @Nullable String options = fields.combined(FieldName.CONNECTION);
        return options != null
                && Arrays.stream(options.split(",", -1))
                        .anyMatch(option -> option.strip().equalsIgnoreCase("upgrade"));
    }

    /// Returns the bytes of memory that the head takes.
    long heldBytes() {
        return lent.heldBytes();
    }

    /// Gives the head's memory back to the loop, as far as no task of the exchange reads it.
    ///
    /// @param exchange that of the head; null if none has begun, or if it was dropped
    void leave(@Nullable ServerExchange exchange) {
        if (exchange == null) {
            persistent = false;
            lent.giveBack();
        } else {
            lent.leave(exchange);
        }
    }
}
