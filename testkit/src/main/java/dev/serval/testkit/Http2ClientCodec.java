package dev.serval.testkit;

import dev.serval.testkit.layer.ClientHpack;
import dev.serval.testkit.layer.ClientHpack.Field;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The client codec of HTTP/2 with prior knowledge. It checks that the server respects the windows,
/// and grants more only after a call has consumed content.
final class Http2ClientCodec implements Caller.ClientCodec {
    private static final int HEADER = 9;
    private static final int PAYLOAD_MAX = 16_384;
    private static final int FIRST_WINDOW = 65_535;
    private static final int STREAM_WINDOW = 64 << 10;
    private static final int CONNECTION_WINDOW = 256 << 10;
    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int WINDOW_UPDATE = 8;
    private static final int CONTINUATION = 9;
    private static final int END_STREAM = 1;
    private static final int ACK = 1;
    private static final int END_HEADERS = 4;

    private final Wire wire;
    private final Map<Integer, Line> lines = new LinkedHashMap<>();
    private final ClientHpack hpack = new ClientHpack();
    private final byte[] frame = new byte[HEADER + PAYLOAD_MAX];
    private long mayReceive = CONNECTION_WINDOW;
    private long maySend = FIRST_WINDOW;
    private long firstWindow = FIRST_WINDOW; // that the server gives a new stream
    private int last = -1;
    private byte[] block = {};
    private boolean begun;

    Http2ClientCodec(Wire wire) {
        this.wire = wire;
    }

    /// One stream and its call.
    private final class Line {
        final int stream;
        final Call call;
        long maySend = firstWindow;
        long mayReceive = STREAM_WINDOW;
        int taken; // received, but not granted again yet
        boolean ends; // whether the open header block ends the stream

        Line(int stream, Call call) {
            this.stream = stream;
            this.call = call;
        }
    }

    @Override
    public void open(Call call) {
        begin();
        last += 2;
        Line line = new Line(last, call);
        lines.put(line.stream, line);
        Call.Ask ask = call.ask;
        boolean ends = ask.length() == 0 && !ask.upgrade();
        List<Field> fields = new ArrayList<>();
        fields.add(new Field(":method", ask.upgrade() ? "CONNECT" : ask.method()));
        fields.add(new Field(":scheme", "http"));
        fields.add(new Field(":authority", "test"));
        fields.add(new Field(":path", ask.target()));
        if (ask.upgrade()) {
            fields.add(new Field(":protocol", "test"));
        }
        if (ask.length() > 0) {
            fields.add(new Field("content-length", String.valueOf(ask.length())));
        }
        fields.addAll(fields(ask.fields()));
        head(line.stream, fields, ends);
        if (ends) {
            call.takeEnd();
        }
    }

    private void begin() {
        if (begun) {
            return;
        }
        begun = true;
        wire.write(PREFACE, 0, PREFACE.length);
        ByteBuffer settings = ByteBuffer.allocate(6).putShort((short) 4).putInt(STREAM_WINDOW);
        write(0, SETTINGS, 0, settings.array());
        grant(0, CONNECTION_WINDOW - FIRST_WINDOW);
    }

    @Override
    public boolean send() {
        boolean moved = false;
        for (Line line : new ArrayList<>(lines.values())) {
            moved |= send(line);
        }
        return moved;
    }

    private boolean send(Line line) {
        boolean moved = false;
        while (true) {
            long most = Math.min(Math.min(line.maySend, maySend), wire.room());
            int n =
                    most <= 0
                            ? 0
                            : line.call.takeUnsent(
                                    frame, HEADER, (int) Math.min(most, PAYLOAD_MAX));
            if (n == 0) {
                break;
            }
            moved = true;
            header(frame, n, DATA, 0, line.stream);
            wire.write(frame, 0, HEADER + n);
            line.maySend -= n;
            maySend -= n;
        }
        if (line.call.hasFinished()) {
            String trailers = line.call.takeEnd();
            if (trailers.isEmpty()) {
                write(line.stream, DATA, END_STREAM, new byte[0]);
            } else {
                head(line.stream, fields(trailers), true);
            }
            forget(line);
            return true;
        }
        return moved;
    }

    @Override
    public int take(byte[] bytes, int from, int to) {
        int at = from;
        while (to - at >= HEADER) {
            int length = number(bytes, at) >>> 8;
            if (to - at - HEADER < length) {
                break;
            }
            int type = bytes[at + 3];
            int flags = bytes[at + 4];
            int stream = number(bytes, at + 5);
            byte[] payload = Arrays.copyOfRange(bytes, at + HEADER, at + HEADER + length);
            if (stream == 0) {
                takeOfConnection(type, flags, payload);
            } else {
                takeOfStream(stream, type, flags, payload);
            }
            at += HEADER + length;
        }
        return at;
    }

    private void takeOfConnection(int type, int flags, byte[] payload) {
        switch (type) {
            case SETTINGS -> {
                if ((flags & ACK) == 0) {
                    settings(payload);
                    write(0, SETTINGS, ACK, new byte[0]);
                }
            }
            case PING -> {
                if ((flags & ACK) == 0) {
                    write(0, PING, ACK, payload);
                }
            }
            case WINDOW_UPDATE -> maySend += number(payload, 0);
            default -> {} // GOAWAY: the end follows
        }
    }

    private void settings(byte[] payload) {
        for (int at = 0; at < payload.length; at += 6) {
            if (payload[at + 1] == 4) {
                long window = number(payload, at + 2);
                for (Line line : lines.values()) {
                    line.maySend += window - firstWindow;
                }
                firstWindow = window;
            }
        }
    }

    private void takeOfStream(int stream, int type, int flags, byte[] payload) {
        Line line = lines.get(stream);
        boolean ends = (flags & END_STREAM) != 0;
        switch (type) {
            case HEADERS, CONTINUATION -> {
                byte[] longer = Arrays.copyOf(block, block.length + payload.length);
                System.arraycopy(payload, 0, longer, block.length, payload.length);
                block = longer;
                if (line != null && type == HEADERS) {
                    line.ends = ends;
                }
                if ((flags & END_HEADERS) != 0) {
                    List<Field> fields = hpack.decode(block);
                    block = new byte[0];
                    if (line != null) {
                        head(line, fields);
                    }
                }
            }
            case DATA -> {
                dataIn(payload.length);
                if (line != null) {
                    content(line, payload, ends);
                }
            }
            case RST_STREAM -> {
                if (line != null) {
                    line.call.stopSending();
                    line.call.broken(); // no effect after a whole response
                }
            }
            case WINDOW_UPDATE -> {
                if (line != null) {
                    line.maySend += number(payload, 0);
                }
            }
            default -> throw new AssertionError("A server sent a frame of type " + type);
        }
        if (line != null) {
            forget(line);
        }
    }

    private static void head(Line line, List<Field> fields) {
        StringBuilder text = new StringBuilder();
        int status = 0;
        for (Field field : fields) {
            if (!field.name().equals(field.name().toLowerCase(Locale.ROOT))) {
                throw new AssertionError("A name is not in lower case: " + field);
            }
            if (field.name().equals(":status")) {
                status = Integer.parseInt(field.value());
            } else {
                text.append(field.name()).append(": ").append(field.value()).append("\r\n");
            }
        }
        Call call = line.call;
        if (status == 0) {
            call.whole(text.toString());
        } else if (status / 100 == 1) {
            call.interim(status);
        } else if (call.ask.upgrade() && status / 100 == 2) {
            call.tunnelOpened(status, text.toString());
        } else {
            call.head(status, text.toString());
        }
        if (line.ends) {
            call.whole("");
        }
    }

    private void content(Line line, byte[] payload, boolean ends) {
        line.mayReceive -= payload.length;
        if (line.mayReceive < 0) {
            throw new AssertionError("more than the stream's window: " + line.call);
        }
        line.call.content(payload, 0, payload.length);
        line.taken += payload.length;
        resumed(line.call);
        if (ends) {
            line.call.whole("");
        }
    }

    @Override
    public boolean reads() {
        return true;
    }

    @Override
    public void ended(boolean reset) {
        lines.values().forEach(line -> line.call.broken());
        lines.clear();
    }

    @Override
    public void reset(Call call) {
        for (Line line : lines.values()) {
            if (line.call.equals(call)) {
                write(line.stream, RST_STREAM, 0, new byte[] {0, 0, 0, 8}); // CANCEL
            }
        }
        lines.values().removeIf(line -> line.call.equals(call));
    }

    @Override
    public void resumed(Call call) {
        for (Line line : lines.values()) {
            if (line.call.equals(call) && !call.isPaused() && line.taken >= STREAM_WINDOW / 4) {
                grant(line.stream, line.taken);
                line.mayReceive += line.taken;
                line.taken = 0;
            }
        }
    }

    /// Grants the bytes to the connection at once, so that a paused stream does not block the
    /// others.
    private void dataIn(int bytes) {
        mayReceive -= bytes;
        if (mayReceive < 0) {
            throw new AssertionError("more than the connection's window");
        }
        if (mayReceive < CONNECTION_WINDOW / 2) {
            long more = CONNECTION_WINDOW - mayReceive;
            grant(0, (int) more);
            mayReceive += more;
        }
    }

    private void forget(Line line) {
        if (line.call.isOver() && line.call.hasEnded()) {
            lines.remove(line.stream);
        }
    }

    private void head(int stream, List<Field> fields, boolean ends) {
        byte[] bytes = ClientHpack.encode(fields);
        write(stream, HEADERS, END_HEADERS | (ends ? END_STREAM : 0), bytes);
    }

    private static List<Field> fields(String text) {
        return text.lines()
                .map(line -> {
                    int colon = line.indexOf(':');
                    String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
                    return new Field(name, line.substring(colon + 1).strip());
                })
                .toList();
    }

    private void grant(int stream, int bytes) {
        write(stream, WINDOW_UPDATE, 0, ByteBuffer.allocate(4).putInt(bytes).array());
    }

    private void write(int stream, int type, int flags, byte[] payload) {
        byte[] bytes = new byte[HEADER + payload.length];
        header(bytes, payload.length, type, flags, stream);
        System.arraycopy(payload, 0, bytes, HEADER, payload.length);
        wire.write(bytes, 0, bytes.length);
    }

    private static void header(byte[] into, int length, int type, int flags, int stream) {
        ByteBuffer.wrap(into).putInt(length << 8 | type).put((byte) flags).putInt(stream);
    }

    private static int number(byte[] bytes, int at) {
        return ByteBuffer.wrap(bytes).getInt(at);
    }
}
