package dev.serval.testkit;

import dev.serval.testkit.ToyFrames.Frame;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/// The client codec of [ToyFrames]. It checks that the server respects the granted windows, and
/// grants more only after a call has consumed content.
final class ToyClientCodec implements Caller.ClientCodec {
    private final Wire wire;
    private final Map<Integer, Line> lines = new LinkedHashMap<>();
    private final byte[] frame = new byte[ToyFrames.HEADER + ToyFrames.PAYLOAD_MAX];
    private long mayReceive = ToyFrames.CONNECTION_WINDOW;
    private long maySend = ToyFrames.CONNECTION_WINDOW;
    private int last;

    ToyClientCodec(Wire wire) {
        this.wire = wire;
    }

    /// One stream and its call.
    private static final class Line {
        final int stream;
        final Call call;
        long maySend = ToyFrames.STREAM_WINDOW;
        long mayReceive = ToyFrames.STREAM_WINDOW;
        long taken; // received, but not granted again yet

        Line(int stream, Call call) {
            this.stream = stream;
            this.call = call;
        }
    }

    @Override
    public void open(Call call) {
        Line line = new Line(++last, call);
        lines.put(line.stream, line);
        Call.Ask ask = call.ask;
        Frame type = ask.length() == 0 && !ask.upgrade() ? Frame.LAST_HEAD : Frame.HEAD;
        ToyHead head =
                new ToyHead()
                        .add(ToyHead.Name.METHOD, ask.upgrade() ? "CONNECT" : ask.method())
                        .add(ToyHead.Name.SCHEME, "http")
                        .add(ToyHead.Name.PATH, ask.target())
                        .add(ToyHead.Name.AUTHORITY, "test");
        if (ask.length() > 0) {
            head.add(ToyHead.Name.CONTENT_LENGTH, String.valueOf(ask.length()));
        }
        if (ask.upgrade()) {
            head.add(ToyHead.Name.PROTOCOL, "test");
        }
        write(line.stream, type, head.addLines(ask.fields()).payload());
        if (type == Frame.LAST_HEAD) {
            call.takeEnd();
        }
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
                                    frame,
                                    ToyFrames.HEADER,
                                    (int) Math.min(most, ToyFrames.PAYLOAD_MAX));
            if (n == 0) {
                break;
            }
            moved = true;
            ToyFrames.header(frame, line.stream, Frame.DATA, n);
            wire.write(frame, 0, ToyFrames.HEADER + n);
            line.maySend -= n;
            maySend -= n;
        }
        if (line.call.hasFinished()) {
            write(line.stream, Frame.END, line.call.takeEnd());
            forget(line);
            return true;
        }
        return moved;
    }

    @Override
    public int take(byte[] bytes, int from, int to) {
        int at = from;
        while (ToyFrames.isWhole(bytes, at, to)) {
            int end = at + ToyFrames.HEADER + ToyFrames.length(bytes, at);
            int stream = ToyFrames.stream(bytes, at);
            Frame type = ToyFrames.type(bytes, at);
            Line line = lines.get(stream);
            if (type == Frame.WINDOW && stream == 0) {
                maySend += ToyFrames.number(bytes, at + ToyFrames.HEADER);
            } else if (line != null) {
                take(line, type, bytes, at + ToyFrames.HEADER, end);
            } else if (type == Frame.DATA) {
                dataIn(end - at - ToyFrames.HEADER); // of a stream that the client aborted
            }
            at = end;
        }
        return at;
    }

    private void take(Line line, Frame type, byte[] bytes, int from, int to) {
        Call call = line.call;
        switch (type) {
            case INFORM -> call.interim(status(bytes, from, to));
            case HEAD -> {
                int status = status(bytes, from, to);
                if (call.ask.upgrade() && status / 100 == 2) {
                    call.tunnelOpened(status, text(bytes, from, to));
                } else {
                    call.head(status, text(bytes, from, to));
                }
            }
            case LAST_HEAD -> {
                call.head(status(bytes, from, to), text(bytes, from, to));
                call.whole("");
            }
            case DATA -> {
                line.mayReceive -= to - from;
                if (line.mayReceive < 0) {
                    throw new AssertionError("more than the stream's window: " + call);
                }
                dataIn(to - from);
                call.content(bytes, from, to);
                line.taken += to - from;
                resumed(call);
            }
            case END -> call.whole(text(bytes, from, to));
            case ENOUGH -> call.stopSending();
            case RESET -> {
                call.broken();
                call.stopSending();
            }
            case WINDOW -> line.maySend += ToyFrames.number(bytes, from);
            case GOODBYE -> {}
        }
        forget(line);
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
                write(line.stream, Frame.RESET, "");
            }
        }
        lines.values().removeIf(line -> line.call.equals(call));
    }

    @Override
    public void resumed(Call call) {
        for (Line line : lines.values()) {
            if (line.call.equals(call)
                    && !call.isPaused()
                    && line.taken >= ToyFrames.STREAM_WINDOW / 4) {
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
        if (mayReceive < ToyFrames.CONNECTION_WINDOW / 2) {
            long more = ToyFrames.CONNECTION_WINDOW - mayReceive;
            grant(0, more);
            mayReceive += more;
        }
    }

    private void forget(Line line) {
        if (line.call.isOver() && line.call.hasEnded()) {
            lines.remove(line.stream);
        }
    }

    private void grant(int stream, long bytes) {
        byte[] grant = ToyFrames.grant(stream, (int) bytes);
        wire.write(grant, 0, grant.length);
    }

    private void write(int stream, Frame type, String text) {
        write(stream, type, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private void write(int stream, Frame type, byte[] payload) {
        byte[] bytes = ToyFrames.frame(stream, type, payload);
        wire.write(bytes, 0, bytes.length);
    }

    private static int status(byte[] bytes, int from, int to) {
        return Integer.parseInt(text(bytes, from, Math.min(to, from + 3)));
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
