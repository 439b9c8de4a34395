package dev.serval.testkit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The client codec of HTTP/1.1. It sends calls one after the other (pipelined), and reads the
/// responses in the same order. Reading pauses if the call whose response is next is paused.
final class Http1ClientCodec implements Caller.ClientCodec {
    /// What the codec reads.
    private enum State {
        RESPONSES,
        TUNNEL,
        OVER
    }

    private static final int CHUNK_MAX = 16 << 10;

    private final Wire wire;
    private final ArrayDeque<Call> sending = new ArrayDeque<>();
    private final ArrayDeque<Call> receiving = new ArrayDeque<>();
    private final byte[] out = new byte[CHUNK_MAX];
    private State state = State.RESPONSES;
    private @Nullable ResponseReader reader; // null between responses
    private boolean begun; // whether the current call's head was sent

    Http1ClientCodec(Wire wire) {
        this.wire = wire;
    }

    @Override
    public void open(Call call) {
        sending.addLast(call);
        receiving.addLast(call);
        send();
    }

    @Override
    public boolean send() {
        boolean moved = false;
        while (!sending.isEmpty() && wire.room() > 0) {
            Call call = sending.getFirst();
            if (!begun) {
                begun = true;
                write(head(call.ask));
                moved = true;
            }
            int n = wire.room() > 0 && !call.hasEnded() ? call.takeUnsent(out, 0, CHUNK_MAX) : 0;
            if (n > 0) {
                content(call, n);
                moved = true;
            } else if (call.hasEnded() || call.hasFinished()) {
                finish(call);
                moved = true;
            } else {
                break;
            }
        }
        return moved;
    }

    private void content(Call call, int n) {
        boolean chunked = call.ask.length() < 0;
        if (chunked) {
            write(Integer.toHexString(n) + "\r\n");
        }
        wire.write(out, 0, n);
        if (chunked) {
            write("\r\n");
        }
    }

    private void finish(Call call) {
        if (!call.hasEnded()) {
            String trailers = call.takeEnd();
            if (call.ask.upgrade()) {
                wire.end();
            } else if (call.ask.length() < 0) {
                write("0\r\n" + trailers + "\r\n");
            }
        }
        sending.removeFirst();
        begun = false;
    }

    private static String head(Call.Ask ask) {
        String length =
                ask.length() > 0
                        ? "Content-Length: " + ask.length() + "\r\n"
                        : ask.length() < 0 ? "Transfer-Encoding: chunked\r\n" : "";
        String upgrade = ask.upgrade() ? "Connection: upgrade\r\nUpgrade: test\r\n" : "";
        return ask.method()
                + " "
                + ask.target()
                + " HTTP/1.1\r\nHost: test\r\n"
                + length
                + upgrade
                + ask.fields()
                + "\r\n";
    }

    @Override
    public int take(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && state == State.RESPONSES) {
            if (receiving.isEmpty()) {
                throw new AssertionError(
                        "received bytes without a request: " + text(bytes, at, to));
            }
            at = read(receiving.getFirst(), bytes, at, to);
        }
        if (at < to && state == State.TUNNEL) {
            receiving.getFirst().content(bytes, at, to);
        }
        return to;
    }

    private int read(Call call, byte[] bytes, int from, int to) {
        ResponseReader current = reader;
        if (current == null) {
            current = new ResponseReader(call.ask.method(), call::content);
            reader = current;
        }
        boolean begun = current.head() != null;
        int at = current.take(bytes, from, to);
        RawResponse head = current.head();
        if (head != null && !begun) {
            begun(call, head);
        }
        if (head != null && current.isComplete()) {
            reader = null;
            if (head.status() >= 200) {
                whole(call, head, lines(current.trailers()));
            }
        }
        return at;
    }

    private void begun(Call call, RawResponse head) {
        if (head.status() == 101) {
            call.tunnelOpened(head.status(), lines(head.fields()));
            state = State.TUNNEL;
        } else if (head.status() < 200) {
            call.interim(head.status());
        } else {
            call.head(head.status(), lines(head.fields()));
        }
    }

    private void whole(Call call, RawResponse head, String trailers) {
        call.whole(trailers);
        receiving.removeFirst();
        if (head.announcesClose()) {
            state = State.OVER;
            call.stopSending();
            receiving.forEach(Call::broken);
            receiving.clear();
        }
    }

    private static String lines(List<RawResponse.Field> fields) {
        StringBuilder lines = new StringBuilder();
        fields.forEach(f -> lines.append(f.name()).append(": ").append(f.value()).append("\r\n"));
        return lines.toString();
    }

    @Override
    public boolean reads() {
        return receiving.isEmpty() || !receiving.getFirst().isPaused();
    }

    @Override
    public void ended(boolean reset) {
        ResponseReader current = reader;
        RawResponse head = current == null ? null : current.head();
        boolean untilClose = head != null && head.framing() == RawResponse.Framing.CLOSE;
        if (!reset && !receiving.isEmpty() && (state == State.TUNNEL || untilClose)) {
            receiving.removeFirst().whole("");
        }
        receiving.forEach(Call::broken);
        receiving.clear();
    }

    @Override
    public void reset(Call call) {
        wire.reset();
        receiving.forEach(Call::broken);
        receiving.clear();
        sending.clear();
    }

    @Override
    public void resumed(Call call) {
        // The next read continues.
    }

    private void write(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        wire.write(bytes, 0, bytes.length);
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, Math.max(0, to - from), StandardCharsets.ISO_8859_1);
    }
}
