package dev.serval.testkit.layer;

import dev.serval.testkit.layer.ClientHpack.Field;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Translates between a client that speaks HTTP/1.1 and a server that speaks HTTP/2. Requests become
/// streams, one after the other, so that the client meets the order of HTTP/1.1. Responses become text,
/// with `Content-Length` as received, otherwise in chunks.
///
/// - `Connection: close` becomes GOAWAY after the request; GOAWAY becomes `Connection: close`.
/// - A stream that is reset before the end of its response becomes the end of the connection.
/// - The end of the client's bytes is the same in both.
///
/// It fails for requests that HTTP/2 cannot say, and for responses that break RFC 9113 §8. Owned by the
/// thread of its test.
public final class Http2Layer implements Layer, RequestCutter.Parts {
    private static final byte[] PREFACE = RequestCutter.bytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GOAWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    private static final int CONTINUATION = 9;
    private static final int END_STREAM = 1;
    private static final int ACK = 1;
    private static final int END_HEADERS = 4;
    private static final int HEADER = 9;
    private static final int PAYLOAD_MAX = 16 << 10;
    private static final int PENDING_MAX = 64 << 10;

    private final Layer below;
    private final RequestCutter cutter;
    private final ClientHpack hpack = new ClientHpack();
    private final ByteBuffer raw = ByteBuffer.allocate(32 << 10);
    private final ByteArrayOutputStream frames = new ByteArrayOutputStream();
    private ByteBuffer unsent = ByteBuffer.allocate(0);
    private byte[] received = {};
    private byte[] block = {};
    private boolean blockEnds;
    private byte[] pending = {};
    private final Windows windows = new Windows();
    private @Nullable ResponseText response;
    private byte[] text = {};
    private int textAt;
    private int stream = -1;
    private boolean begun;
    private boolean discards;
    private boolean leaving;
    private boolean ending;
    private boolean ended;
    private @Nullable String broken;

    /// Creates a layer that has sent nothing.
    ///
    /// @param scheme `http` or `https`
    public Http2Layer(Layer below, String scheme) {
        this.below = below;
        this.cutter = new RequestCutter(scheme, this);
    }

    // The client's side

    @Override
    public int write(ByteBuffer from) throws IOException {
        flush();
        if (waits() || pending.length >= PENDING_MAX) {
            return 0;
        }
        int at = pending.length;
        int n = Math.min(from.remaining(), PENDING_MAX);
        pending = Arrays.copyOf(pending, at + n);
        from.get(pending, at, n);
        pump();
        flush();
        return n;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int n = 1;
        while (textAt == text.length && n > 0 && broken == null) {
            n = fill();
            pump();
            flush();
        }
        if (textAt < text.length) {
            int length = Math.min(into.remaining(), text.length - textAt);
            into.put(text, textAt, length);
            textAt += length;
            return length;
        }
        if (broken != null) {
            throw new IOException(broken);
        }
        return n;
    }

    @Override
    public void end() throws IOException {
        ending = true;
        pump();
        flush();
    }

    @Override
    public boolean waits() {
        return unsent.hasRemaining() || below.waits();
    }

    @Override
    public boolean mustRead() {
        return !waits() && pending.length >= PENDING_MAX;
    }

    /// Cuts pending bytes as far as the window and the order of requests allow.
    private void pump() {
        int at = 0;
        boolean moved = true;
        while (moved && at < pending.length && broken == null) {
            if (cutter.isComplete()) {
                if (response != null) {
                    break;
                }
                cutter.next();
            }
            int room = discards ? Integer.MAX_VALUE : windows.room(PAYLOAD_MAX);
            int to = cutter.take(pending, at, pending.length, room);
            moved = to > at;
            at = to;
        }
        pending = Arrays.copyOfRange(pending, at, pending.length);
    }

    @Override
    public void head(List<Field> fields, boolean closes, boolean ends) {
        if (!begun) {
            begun = true;
            frames.writeBytes(PREFACE);
            frame(0, SETTINGS, 0, new byte[0]);
        }
        stream += 2;
        discards = false;
        windows.newStream();
        response = new ResponseText(fields.getFirst().value().equals("HEAD"), closes || leaving);
        byte[] bytes = ClientHpack.encode(fields);
        int at = Math.min(bytes.length, PAYLOAD_MAX);
        int last = at == bytes.length ? END_HEADERS : 0;
        frame(stream, HEADERS, last | (ends ? END_STREAM : 0), Arrays.copyOf(bytes, at));
        while (at < bytes.length) {
            int to = Math.min(bytes.length, at + PAYLOAD_MAX);
            last = to == bytes.length ? END_HEADERS : 0;
            frame(stream, CONTINUATION, last, Arrays.copyOfRange(bytes, at, to));
            at = to;
        }
        if (closes) {
            frame(0, GOAWAY, 0, new byte[8]);
        }
    }

    @Override
    public void content(byte[] bytes, int from, int to, boolean ends) {
        if (!discards) {
            windows.sent(to - from);
            frame(stream, DATA, ends ? END_STREAM : 0, Arrays.copyOfRange(bytes, from, to));
        }
    }

    @Override
    public void end(List<Field> trailers) {
        if (discards) {
            return;
        }
        if (trailers.isEmpty()) {
            frame(stream, DATA, END_STREAM, new byte[0]);
        } else {
            frame(stream, HEADERS, END_HEADERS | END_STREAM, ClientHpack.encode(trailers));
        }
    }

    private void frame(int of, int type, int flags, byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(HEADER + payload.length);
        frame.putInt(payload.length << 8 | type).put((byte) flags).putInt(of).put(payload);
        frames.writeBytes(frame.array());
    }

    private void flush() throws IOException {
        if (frames.size() > 0) {
            ByteBuffer all = ByteBuffer.allocate(unsent.remaining() + frames.size());
            unsent = all.put(unsent).put(frames.toByteArray()).flip();
            frames.reset();
        }
        while (unsent.hasRemaining() && below.write(unsent) > 0) {
            // the layer below takes a piece at a time
        }
        if (ending && !ended && pending.length == 0 && !unsent.hasRemaining()) {
            ended = true;
            below.end();
        }
    }

    // The server's side

    private int fill() throws IOException {
        int n = below.read(raw.clear());
        if (n > 0) {
            int before = received.length;
            received = Arrays.copyOf(received, before + n);
            raw.get(0, received, before, n);
            int at = 0;
            while (received.length - at >= HEADER) {
                int length = number(received, at) >>> 8;
                if (received.length - at - HEADER < length) {
                    break;
                }
                int to = at + HEADER + length;
                byte[] payload = Arrays.copyOfRange(received, at + HEADER, to);
                take(number(received, at + 5), received[at + 3], received[at + 4], payload);
                at = to;
            }
            received = Arrays.copyOfRange(received, at, received.length);
        }
        return n;
    }

    private void take(int of, int type, int flags, byte[] payload) {
        switch (type) {
            case DATA -> data(of, flags, payload);
            case HEADERS, CONTINUATION -> headers(of, type, flags, payload);
            case RST_STREAM -> reset(of, number(payload, 0));
            case SETTINGS -> {
                if ((flags & ACK) == 0) {
                    windows.settings(payload);
                    frame(0, SETTINGS, ACK, new byte[0]);
                }
            }
            case PING -> {
                if ((flags & ACK) == 0) {
                    frame(0, PING, ACK, payload);
                }
            }
            case GOAWAY -> goAway(number(payload, 0), number(payload, 4));
            case WINDOW_UPDATE -> windows.granted(of, of == stream, number(payload, 0));
            default -> throw new AssertionError("a server sent a frame of type " + type);
        }
    }

    private void data(int of, int flags, byte[] payload) {
        if (payload.length > 0) {
            byte[] bytes = ByteBuffer.allocate(4).putInt(payload.length).array();
            frame(0, WINDOW_UPDATE, 0, bytes);
            if ((flags & END_STREAM) == 0) {
                frame(of, WINDOW_UPDATE, 0, bytes);
            }
        }
        ResponseText open = response;
        if (open != null && of == stream) {
            say(open.content(payload));
            if ((flags & END_STREAM) != 0) {
                over(open, List.of());
            }
        }
    }

    private void headers(int of, int type, int flags, byte[] payload) {
        blockEnds = type == HEADERS ? (flags & END_STREAM) != 0 : blockEnds;
        int before = block.length;
        block = Arrays.copyOf(block, before + payload.length);
        System.arraycopy(payload, 0, block, before, payload.length);
        if ((flags & END_HEADERS) == 0) {
            return;
        }
        List<Field> fields = hpack.decode(block);
        block = new byte[0];
        ResponseText open = response;
        if (open == null || of != stream) {
            return;
        }
        if (fields.getFirst().name().equals(":status")) {
            say(open.head(fields, blockEnds));
            if (blockEnds) {
                over(open, List.of());
            }
        } else {
            over(open, fields);
        }
    }

    private void over(ResponseText open, List<Field> trailers) {
        say(open.end(trailers));
        response = null;
    }

    private void reset(int of, int code) {
        if (of != stream) {
            return;
        }
        discards = true;
        if (response != null) {
            broken = "the stream was reset with " + code;
        }
    }

    private void goAway(int lastStream, int code) {
        leaving = true;
        ResponseText open = response;
        if (open != null) {
            open.closes();
        }
        if (code != 0 || (open != null && lastStream < stream)) {
            broken = "the connection ended with " + code;
        }
    }

    private void say(byte[] more) {
        int left = text.length - textAt;
        byte[] all =
                Arrays.copyOf(Arrays.copyOfRange(text, textAt, text.length), left + more.length);
        System.arraycopy(more, 0, all, left, more.length);
        text = all;
        textAt = 0;
    }

    private static int number(byte[] bytes, int at) {
        return ByteBuffer.wrap(bytes).getInt(at);
    }

    /// How much content the server takes (RFC 9113 §5.2).
    private static final class Windows {
        private static final int INITIAL_WINDOW_SIZE = 4;

        private long first = 65_535;
        private long ofConnection = 65_535;
        private long ofStream;

        void newStream() {
            ofStream = first;
        }

        int room(int most) {
            return (int) Math.max(0, Math.min(most, Math.min(ofConnection, ofStream)));
        }

        void sent(int bytes) {
            ofConnection -= bytes;
            ofStream -= bytes;
        }

        void granted(int stream, boolean current, int bytes) {
            if (stream == 0) {
                ofConnection += bytes;
            } else if (current) {
                ofStream += bytes;
            }
        }

        void settings(byte[] payload) {
            for (int at = 0; at < payload.length; at += 6) {
                if (payload[at + 1] == INITIAL_WINDOW_SIZE) {
                    ofStream += number(payload, at + 2) - first;
                    first = number(payload, at + 2);
                }
            }
        }
    }
}
