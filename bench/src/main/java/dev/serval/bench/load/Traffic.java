package dev.serval.bench.load;

import dev.serval.bench.client.AnswerReader;
import dev.serval.bench.client.Conversation;
import dev.serval.bench.client.LoadEngine;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What the users of a load share: the loop that runs them all, the server, the addresses from which
/// they come, and the readers of answers. As the connections come from many addresses, a server sees
/// many clients, and the ports of one address are enough. Owned by the load's thread.
public final class Traffic implements AutoCloseable {
    private final LoadEngine engine;
    private final InetSocketAddress server;
    private final List<InetSocketAddress> sources = new ArrayList<>();
    private final Supplier<AnswerReader> newReader;
    private final ArrayDeque<AnswerReader> readers = new ArrayDeque<>();
    private int nextSource;

    /// @param addresses the number of loopback addresses; 0 if users come from that of the machine
    /// @param newReader makes a reader of answers
    public Traffic(InetSocketAddress server, int addresses, Supplier<AnswerReader> newReader) {
        this(server, false, addresses, newReader);
    }

    /// @param tls whether by TLS
    public Traffic(
            InetSocketAddress server,
            boolean tls,
            int addresses,
            Supplier<AnswerReader> newReader) {
        this.engine = new LoadEngine(tls);
        this.server = server;
        this.newReader = newReader;
        for (int i = 0; i < addresses; i++) {
            String address = "127.0.%d.%d".formatted(i / 250, 2 + i % 250);
            sources.add(new InetSocketAddress(address, 0));
        }
    }

    /// Returns the loop.
    public LoadEngine engine() {
        return engine;
    }

    /// Returns the server's port.
    public int port() {
        return server.getPort();
    }

    /// Returns the addresses in turn.
    public InetSocketAddress nextSource() {
        nextSource = (nextSource + 1) % sources.size();
        return sources.get(nextSource);
    }

    /// Begins to connect, as [LoadEngine#connect] does.
    Runnable connect(@Nullable InetSocketAddress source, Conversation conversation) {
        return source == null
                ? engine.connect(server, conversation)
                : engine.connect(source, server, conversation);
    }

    /// Lends a reader for one answer. It has buffers, which a user does not need while it thinks.
    AnswerReader reader() {
        return readers.isEmpty() ? newReader.get() : readers.pop();
    }

    /// Takes a reader back.
    void giveBack(AnswerReader reader) {
        reader.reset();
        readers.push(reader);
    }

    @Override
    public void close() {
        engine.close();
    }
}
