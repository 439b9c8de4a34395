package dev.serval.blocking;

import dev.serval.http.Fields;
import java.io.InputStream;

/// The content of all requests that have none, so that they need no object of their own.
enum NoContent implements IncomingContent {
    INSTANCE;

    @Override
    public InputStream stream(BlockingExchange exchange) {
        return new EmptyInput(exchange);
    }

    @Override
    public Fields trailers() {
        return Fields.EMPTY;
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public boolean hasEnded() {
        return true;
    }

    @Override
    public void whenReady(BlockingExchange exchange, Runnable then) {
        exchange.post(then);
    }

    @Override
    public void expire() {}

    @Override
    public void begin() {}

    @Override
    public void lost() {}

    @Override
    public void settle() {}
}
