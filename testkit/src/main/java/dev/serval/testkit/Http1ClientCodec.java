package dev.serval.testkit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The client's side of HTTP/1.1: calls are sent one behind the other (pipelined), and what comes is
/// read in the same order. Reading pauses while the call whose turn it is does.
final class Http1ClientCodec implements Caller.ClientCodec {
    /// What comes next.
    private enum State {
        HEAD,
        FIXED,
        UNTIL_END,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        TRAILERS,
        TUNNEL,
        OVER
    }

    private static final int CHUNK_MAX = 16 << 10;

    private final Wire wire;
    private final ArrayDeque<Call> sending = new ArrayDeque<>();
    private final ArrayDeque<Call> receiving = new ArrayDeque<>();
    private final byte[] out = new byte[CHUNK_MAX];
    private State state = State.HEAD;
    private long left; // of fixed content, or of a chunk
    private boolean begun; // the head of the call that is sent now
    private boolean last; // the server closes behind the present answer

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
        while (at < to && !receiving.isEmpty() && state != State.OVER) {
            int next = read(receiving.getFirst(), bytes, at, to);
            if (next < 0) {
                return at;
            }
            at = next;
        }
        if (at < to && receiving.isEmpty()) {
            throw new AssertionError("nobody asked for: " + text(bytes, at, to));
        }
        return state == State.OVER ? to : at;
    }

    /// One step of the state machine; -1: more is needed.
    private int read(Call call, byte[] bytes, int from, int to) {
        return switch (state) {
            case HEAD -> {
                int end = find(bytes, from, to, "\r\n\r\n");
                if (end >= 0) {
                    head(call, text(bytes, from, end + 2));
                }
                yield end < 0 ? -1 : end + 4;
            }
            case CHUNK_SIZE -> {
                int end = find(bytes, from, to, "\r\n");
                if (end >= 0) {
                    left = Long.parseLong(text(bytes, from, end), 16);
                    state = left == 0 ? State.TRAILERS : State.CHUNK;
                }
                yield end < 0 ? -1 : end + 2;
            }
            case TRAILERS -> trailers(call, bytes, from, to);
            case CHUNK_END -> {
                boolean here = to - from >= 2;
                state = here ? State.CHUNK_SIZE : State.CHUNK_END;
                yield here ? from + 2 : -1;
            }
            case FIXED, CHUNK -> counted(call, bytes, from, to);
            case UNTIL_END, TUNNEL -> {
                call.content(bytes, from, to);
                yield to;
            }
            case OVER -> to;
        };
    }

    private int trailers(Call call, byte[] bytes, int from, int to) {
        boolean none = to - from >= 2 && bytes[from] == '\r';
        int end = none ? from - 2 : find(bytes, from, to, "\r\n\r\n");
        if (!none && end < 0) {
            return -1;
        }
        whole(call, text(bytes, from, end + 2));
        return end + 4;
    }

    private int counted(Call call, byte[] bytes, int from, int to) {
        int n = (int) Math.min(left, to - from);
        call.content(bytes, from, from + n);
        left -= n;
        if (left == 0 && state == State.CHUNK) {
            state = State.CHUNK_END;
        } else if (left == 0) {
            whole(call, "");
        }
        return from + n;
    }

    private void head(Call call, String head) {
        int status = Integer.parseInt(head.substring(9, 12));
        if (status == 101) {
            call.tunnelOpened(status, head);
            state = State.TUNNEL;
            return;
        }
        if (status < 200) {
            call.interim(status);
            return;
        }
        call.head(status, head);
        last = head.toLowerCase(Locale.ROOT).contains("\r\nconnection: close\r\n");
        @Nullable String length = call.field("Content-Length");
        boolean none = call.ask.method().equals("HEAD") || status == 204 || status == 304;
        if (none || "0".equals(length)) {
            whole(call, "");
        } else if (length != null) {
            left = Long.parseLong(length);
            state = State.FIXED;
        } else {
            state = call.field("Transfer-Encoding") != null ? State.CHUNK_SIZE : State.UNTIL_END;
        }
    }

    private void whole(Call call, String trailers) {
        call.whole(trailers);
        receiving.removeFirst();
        state = last ? State.OVER : State.HEAD;
        if (last) {
            call.stopSending();
            receiving.forEach(Call::broken);
            receiving.clear();
        }
    }

    @Override
    public boolean reads() {
        return receiving.isEmpty() || !receiving.getFirst().isPaused();
    }

    @Override
    public void ended(boolean reset) {
        if (!reset && !receiving.isEmpty() && (state == State.TUNNEL || state == State.UNTIL_END)) {
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
        // Reading shows it.
    }

    private void write(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        wire.write(bytes, 0, bytes.length);
    }

    private static int find(byte[] bytes, int from, int to, String what) {
        byte[] wanted = what.getBytes(StandardCharsets.ISO_8859_1);
        for (int at = from; at + wanted.length <= to; at++) {
            if (Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
                return at;
            }
        }
        return -1;
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, Math.max(0, to - from), StandardCharsets.ISO_8859_1);
    }
}
