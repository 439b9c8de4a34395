package dev.serval.blocking;

import dev.serval.handler.Fault;
import java.io.IOException;
import java.io.Serial;

/// Thrown if code reads or writes an exchange that ended before its response did. No client is left
/// to answer. Only [Fault#APPLICATION] is a fault of that code.
public final class ExchangeAbortedException extends IOException {
    @Serial private static final long serialVersionUID = 1;

    /// Why the exchange ended.
    private final Fault fault;

    /// Creates the exception.
    public ExchangeAbortedException(Fault fault) {
        super(text(fault));
        this.fault = fault;
    }

    /// Returns why the exchange ended.
    public Fault fault() {
        return fault;
    }

    private static String text(Fault fault) {
        return switch (fault) {
            case PEER_GONE -> "The client closed the connection";
            case PROTOCOL -> "The request's content breaks the rules of its framing";
            case TOO_LARGE -> "The request's content is larger than this server accepts";
            case TIMEOUT -> "The exchange took longer than this server allows";
            case TOO_SLOW -> "The client sends or reads more slowly than this server allows";
            case APPLICATION ->
                    "The response was aborted: it did not match its Content-Length, or failed";
            case OVERLOAD -> "The server has no room for the exchange";
            case SHUTDOWN -> "The server closed the connection";
        };
    }
}
