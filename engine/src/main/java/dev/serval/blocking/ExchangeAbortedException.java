package dev.serval.blocking;

import dev.serval.handler.Fault;
import java.io.IOException;
import java.io.Serial;

/// Thrown to code that reads or writes an exchange which ended before its time. Not a fault of that
/// code, unless it says so: there is nobody left to answer.
public final class ExchangeAbortedException extends IOException {
    @Serial private static final long serialVersionUID = 1;

    /// Why it ended.
    private final Fault fault;

    ExchangeAbortedException(Fault fault) {
        super(text(fault));
        this.fault = fault;
    }

    /// Why it ended.
    public Fault fault() {
        return fault;
    }

    private static String text(Fault fault) {
        return switch (fault) {
            case PEER_GONE -> "The client has closed the connection";
            case PROTOCOL -> "The request's content breaks the rules of its framing";
            case TOO_LARGE -> "The request's content is larger than this server takes";
            case TIMEOUT -> "The exchange took longer than this server lets it";
            case TOO_SLOW -> "The client sends or reads more slowly than this server waits";
            case APPLICATION ->
                    "The response was given up: it broke its own Content-Length, or failed";
            case OVERLOAD -> "The server has no room for the exchange";
            case SHUTDOWN -> "The server has closed the connection";
        };
    }
}
