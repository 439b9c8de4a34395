package dev.serval.bench.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sends one request and records what the engine reports. An answer that ends with an exclamation mark
/// is a wrong one.
final class Recorded implements Conversation {
    private final List<String> events = new ArrayList<>();
    private final StringBuilder received = new StringBuilder();
    private final ByteBuffer request;

    Recorded(ByteBuffer request) {
        this.request = request;
    }

    Recorded(String request) {
        this(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
    }

    List<String> events() {
        return events;
    }

    String received() {
        return received.toString();
    }

    @Override
    public void connected(LoadConnection connection) throws IOException {
        events.add("connected");
        if (request.hasRemaining()) {
            connection.send(request);
        }
    }

    @Override
    public void received(ByteBuffer in) throws IOException {
        received.append(StandardCharsets.US_ASCII.decode(in));
        if (received.toString().endsWith("!")) {
            throw new IOException("refused");
        }
    }

    @Override
    public void sent() {
        events.add("sent");
    }

    @Override
    public void ended(@Nullable IOException cause) {
        events.add(cause == null ? "closed" : String.valueOf(cause.getMessage()));
    }
}
