package dev.serval.exchange;

import dev.serval.handler.ConnectionFacts;
import dev.serval.http.RequestHead;
import dev.serval.policy.AccessRecord;
import org.jspecify.annotations.Nullable;

/// An exchange as the access log sees it: with the head that the client sent, whatever the rules of
/// a mount have made of it. Owned by the loop.
final class ExchangeRecord implements AccessRecord {
    private final ServerExchange exchange;
    private @Nullable RequestHead head; // null if it could not be read
    private long startedNanos;

    ExchangeRecord(ServerExchange exchange) {
        this.exchange = exchange;
    }

    /// Starts with another exchange.
    void begin(@Nullable RequestHead request, long nowNanos) {
        head = request;
        startedNanos = nowNanos;
    }

    @Override
    public boolean hasRequest() {
        return head != null;
    }

    @Override
    public RequestHead request() {
        if (head == null) {
            throw new IllegalStateException("The head of this request could not be read");
        }
        return head;
    }

    @Override
    public @Nullable String user() {
        return head == null ? null : exchange.request().user();
    }

    @Override
    public ConnectionFacts connection() {
        return exchange.connection();
    }

    @Override
    public int status() {
        return exchange.sink().status();
    }

    @Override
    public long contentBytes() {
        return exchange.sink().written();
    }

    @Override
    public long startedNanos() {
        return startedNanos;
    }

    @Override
    public long nowNanos() {
        return exchange.nowNanos();
    }
}
