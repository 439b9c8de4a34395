package dev.serval.bench.load;

import dev.serval.bench.client.ResponseReader;
import dev.serval.bench.servlet.Browser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/// Makes loads that wrk cannot make: an exact number of requests per connection, and pipelining. It
/// runs in the caller's thread without blocking, and checks status and length of every answer.
public final class OwnClient implements Client {
    /// The errors after which a round ends, because the cell has failed anyway.
    private static final int ERRORS_MAX = 100;

    private static final int READ_BYTES = 256 << 10;
    private static final long SELECT_MILLIS = 100;

    @Override
    public Tally run(Target target, Cell.Load load, int seconds) throws IOException {
        try (Load run = new Load(target, load)) {
            return run.go(seconds * 1_000_000_000L);
        }
    }

    /// One round.
    private static final class Load implements AutoCloseable {
        private final InetSocketAddress address;
        private final int length;
        private final int pipeline;
        private final int connectionBatches;
        private final ByteBuffer batch;
        private final ByteBuffer lastBatch;
        private final ByteBuffer in = ByteBuffer.allocateDirect(READ_BYTES);
        private final Selector selector = Selector.open();
        private final List<Conversation> conversations = new ArrayList<>();
        private final int connections;
        private long requests;
        private long errors;

        Load(Target target, Cell.Load load) throws IOException {
            address = new InetSocketAddress(InetAddress.getLoopbackAddress(), target.port());
            length = target.page().length();
            pipeline = load.pipeline();
            connectionBatches = load.requestsPerConnection() / pipeline;
            String cookie = cookie(target);
            batch = RequestText.batch(target, load, cookie, false);
            lastBatch = RequestText.batch(target, load, cookie, true);
            connections = load.connections();
        }

        /// Returns the cookie of a new session, or an empty text if the request needs none.
        private static String cookie(Target target) throws IOException {
            if (target.request() == null || !target.request().session()) {
                return "";
            }
            try (Browser browser = new Browser(target.port(), target.request())) {
                return browser.sessions(1).getFirst();
            }
        }

        Tally go(long nanos) throws IOException {
            long start = System.nanoTime();
            for (int i = 0; i < connections; i++) {
                Conversation conversation = new Conversation(this);
                conversations.add(conversation);
                conversation.open();
            }
            long end = start;
            while (end - start < nanos && errors < ERRORS_MAX) {
                selector.select(Load::ready, SELECT_MILLIS);
                end = System.nanoTime();
            }
            return new Tally(requests, requests * length, errors, end - start, Double.NaN);
        }

        private static void ready(SelectionKey key) {
            Conversation conversation = (Conversation) key.attachment();
            conversation.ready(key);
        }

        @Override
        public void close() throws IOException {
            for (Conversation conversation : conversations) {
                conversation.close();
            }
            selector.close();
        }
    }

    /// One connection after another. It sends a batch, awaits its answers and sends the next batch.
    /// After its last batch it awaits the server's close, as the request demanded.
    private static final class Conversation {
        private final Load load;
        private final ResponseReader reader;
        private SocketChannel channel;
        private ByteBuffer out;
        private int awaited;
        private int batchesLeft;

        Conversation(Load load) throws IOException {
            this.load = load;
            this.reader = new ResponseReader(load.length);
            this.channel = SocketChannel.open();
            this.out = load.batch.duplicate();
        }

        /// Connects and sends the first batch. Connecting in blocking mode saves two turns on the
        /// loopback address.
        void open() throws IOException {
            reader.reset();
            batchesLeft = load.connectionBatches;
            channel.connect(load.address);
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            SelectionKey key = channel.register(load.selector, SelectionKey.OP_READ, this);
            sendNext(key);
        }

        void ready(SelectionKey key) {
            try {
                if (key.isWritable()) {
                    flush(key);
                }
                if (key.isReadable()) {
                    receive(key);
                }
            } catch (IOException e) {
                load.errors++;
                reopen();
            }
        }

        private void receive(SelectionKey key) throws IOException {
            ByteBuffer in = load.in.clear();
            int read = channel.read(in);
            int answered = reader.read(in.flip());
            load.requests += answered;
            awaited -= answered;
            if (reader.broken() || awaited < 0) {
                load.errors++;
                reopen();
            } else if (read < 0) {
                boolean meant = awaited == 0 && lastSent();
                load.errors += meant ? 0 : 1;
                reopen();
            } else if (awaited == 0 && !lastSent()) {
                sendNext(key);
            }
        }

        private boolean lastSent() {
            return load.connectionBatches > 0 && batchesLeft == 0;
        }

        private void sendNext(SelectionKey key) throws IOException {
            boolean last = load.connectionBatches > 0 && --batchesLeft == 0;
            out = (last ? load.lastBatch : load.batch).duplicate();
            awaited = load.pipeline;
            flush(key);
        }

        private void flush(SelectionKey key) throws IOException {
            channel.write(out);
            int wanted = SelectionKey.OP_READ | (out.hasRemaining() ? SelectionKey.OP_WRITE : 0);
            if (key.interestOps() != wanted) {
                key.interestOps(wanted);
            }
        }

        /// Continues with a new connection. If the server refuses it, that ends only this
        /// conversation and counts as one error.
        private void reopen() {
            try {
                channel.close();
                channel = SocketChannel.open();
                open();
            } catch (IOException e) {
                load.errors++;
            }
        }

        void close() throws IOException {
            channel.close();
        }
    }
}
