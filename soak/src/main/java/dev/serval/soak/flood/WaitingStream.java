package dev.serval.soak.flood;

import dev.serval.testkit.Http2Peer;
import dev.serval.testkit.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A client of HTTP/2 whose first stream waits for an answer that does not come. Used by one thread at
/// a time.
final class WaitingStream implements IdleClient {
    /// An asynchronous servlet of package `war` that never answers.
    private static final String PATH = "/soak/async/hold/1";

    private static final String OPAQUE = "0000000000000001";

    private final Received wire;
    private final Http2Peer peer;
    private int stream = 1;

    WaitingStream(TlsSocket socket) {
        this.wire = new Received(socket);
        this.peer = new Http2Peer(wire);
    }

    /// Sends the request. The server has read it when it answers the PING behind it.
    @Override
    public void begin(GoodClient.Page page) throws IOException {
        peer.begin().get(stream, PATH).frame(Http2Peer.PING, 0, 0, OPAQUE);
        until("PING ack " + OPAQUE);
    }

    /// Asks on another stream.
    @Override
    public void askAgain(GoodClient.Page page) throws IOException {
        stream += 2;
        peer.get(stream, page.path());
        byte[] content = page.content();
        String frames = until("DATA " + stream + " " + content.length + " end ");
        String shown = new String(content, 0, 100, StandardCharsets.ISO_8859_1);
        if (!frames.contains("HEADERS " + stream + " :status=200 ")
                || !frames.contains(" end " + shown)) {
            throw new IOException("wrong answer: " + frames);
        }
    }

    private String until(String last) throws IOException {
        StringBuilder frames = new StringBuilder();
        while (frames.indexOf(last) < 0) {
            wire.fill();
            frames.append(peer.read());
            if (frames.indexOf("HEADERS 1 ") >= 0
                    || frames.indexOf("RST_STREAM ") >= 0
                    || frames.indexOf("GOAWAY ") >= 0) {
                throw new IOException("the first stream does not wait: " + frames);
            }
        }
        return frames.toString();
    }

    /// What has been received. It does not wait.
    private static final class Received implements Wire {
        private final TlsSocket socket;
        private byte[] waiting = {};

        Received(TlsSocket socket) {
            this.socket = socket;
        }

        /// Waits for bytes.
        void fill() throws IOException {
            waiting = socket.receive();
        }

        @Override
        public int room() {
            return Integer.MAX_VALUE;
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            try {
                socket.send(Arrays.copyOfRange(bytes, from, from + length));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public int read(byte[] into) {
            int n = Math.min(into.length, waiting.length);
            System.arraycopy(waiting, 0, into, 0, n);
            waiting = Arrays.copyOfRange(waiting, n, waiting.length);
            return n;
        }

        @Override
        public boolean advance(boolean reads) {
            return false;
        }

        @Override
        public void end() {}

        @Override
        public void reset() {}

        @Override
        public void close() {}
    }
}
