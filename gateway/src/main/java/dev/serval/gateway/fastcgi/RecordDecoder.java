package dev.serval.gateway.fastcgi;

import dev.serval.gateway.output.OutputCodec;
import dev.serval.gateway.output.OutputEvent;
import dev.serval.http.ProtocolError;
import dev.serval.http.Status;
import org.jspecify.annotations.Nullable;

/// Decodes the records that answer one request (FastCGI 1.0 §3.3, §5).
final class RecordDecoder implements OutputCodec {
    private static final ProtocolError VERSION =
            wrong("a record of the FastCGI server has another version than 1", "FastCGI §3.3");
    private static final ProtocolError REQUEST =
            wrong("a record of the FastCGI server belongs to no request", "FastCGI §3.3");
    private static final ProtocolError TYPE =
            wrong("the FastCGI server sent a record of an unexpected type", "FastCGI §8");
    private static final ProtocolError SHORT_END =
            wrong("the last record of the FastCGI server has a wrong length", "FastCGI §5.5");

    private static final int HEAD_BYTES = RecordWriter.HEAD_BYTES;
    private static final int END_BYTES = 8;
    private static final int OVERLOADED = 2; // FCGI_OVERLOADED, §5.5

    /// ```text
    /// HEAD ── 8 bytes ──▶ CONTENT ── last byte ──▶ PADDING ── last byte ──▶ HEAD
    ///   │                    └── of END_REQUEST ─▶ (padding) ──▶ ENDED
    ///   └── broken rule ──▶ BROKEN
    /// ```
    private enum State {
        HEAD,
        CONTENT,
        PADDING,
        ENDED,
        BROKEN
    }

    private final byte[] fixed = new byte[HEAD_BYTES]; // a head, or the content of END_REQUEST
    private State state = State.HEAD;
    private int filled;
    private int type;
    private int left;
    private int padding;
    private int consumed;
    private int contentFrom;
    private int contentTo;
    private int protocolStatus;
    private long applicationStatus;
    private @Nullable ProtocolError error;

    @Override
    public void reset() {
        state = State.HEAD;
        filled = 0;
        error = null;
    }

    @Override
    public OutputEvent next(byte[] buffer, int from, int to, int contentMax) {
        int at = from;
        OutputEvent event = OutputEvent.MORE;
        while (event == OutputEvent.MORE && (at < to || state == State.PADDING)) {
            int before = at;
            switch (state) {
                case HEAD -> {
                    at = fill(buffer, at, to);
                    event = filled == HEAD_BYTES ? begin() : event;
                }
                case CONTENT -> {
                    if (type == RecordType.END_REQUEST) {
                        at = fill(buffer, at, to);
                        left -= at - before;
                        endOfContent();
                    } else {
                        contentFrom = at;
                        at += Math.min(left, Math.min(to - at, contentMax));
                        contentTo = at;
                        left -= at - before;
                        event = type == RecordType.STDOUT ? OutputEvent.OUTPUT : OutputEvent.ERRORS;
                        endOfContent();
                    }
                }
                case PADDING -> {
                    int skipped = Math.min(padding, to - at);
                    padding -= skipped;
                    at += skipped;
                    if (padding > 0) {
                        consumed = at - from;
                        return event;
                    }
                    event = endRecord();
                }
                case ENDED, BROKEN -> {
                    consumed = at - from;
                    return state == State.ENDED ? OutputEvent.END : OutputEvent.WRONG;
                }
            }
        }
        consumed = at - from;
        return event;
    }

    @Override
    public int consumed() {
        return consumed;
    }

    @Override
    public int contentFrom() {
        return contentFrom;
    }

    @Override
    public int contentTo() {
        return contentTo;
    }

    @Override
    public Outcome outcome() {
        return switch (protocolStatus) {
            case 0 -> Outcome.COMPLETE;
            case OVERLOADED -> Outcome.OVERLOADED;
            default -> Outcome.REFUSED;
        };
    }

    @Override
    public boolean endsWithConnection() {
        return false;
    }

    /// Returns the exit status of the application (§5.5).
    long applicationStatus() {
        return applicationStatus;
    }

    @Override
    public @Nullable ProtocolError error() {
        return error;
    }

    private int fill(byte[] buffer, int from, int to) {
        int taken = Math.min(fixed.length - filled, to - from);
        System.arraycopy(buffer, from, fixed, filled, taken);
        filled += taken;
        return from + taken;
    }

    private OutputEvent begin() {
        filled = 0;
        type = fixed[1];
        left = ((fixed[4] & 0xff) << 8) | (fixed[5] & 0xff);
        padding = fixed[6] & 0xff;
        int request = ((fixed[2] & 0xff) << 8) | (fixed[3] & 0xff);
        if (fixed[0] != 1) {
            return fail(VERSION);
        }
        if (request != 1) {
            return fail(REQUEST);
        }
        boolean stream = type == RecordType.STDOUT || type == RecordType.STDERR;
        if (!stream && type != RecordType.END_REQUEST) {
            return fail(TYPE);
        }
        if (!stream && left != END_BYTES) {
            return fail(SHORT_END);
        }
        state = State.CONTENT;
        endOfContent();
        return OutputEvent.MORE;
    }

    private void endOfContent() {
        if (left == 0) {
            state = State.PADDING;
        }
    }

    private OutputEvent endRecord() {
        if (type != RecordType.END_REQUEST) {
            state = State.HEAD;
            return OutputEvent.MORE;
        }
        applicationStatus =
                ((fixed[0] & 0xffL) << 24)
                        | ((fixed[1] & 0xffL) << 16)
                        | ((fixed[2] & 0xffL) << 8)
                        | (fixed[3] & 0xffL);
        protocolStatus = fixed[4] & 0xff;
        filled = 0;
        state = State.ENDED;
        return OutputEvent.END;
    }

    private OutputEvent fail(ProtocolError what) {
        error = what;
        state = State.BROKEN;
        return OutputEvent.WRONG;
    }

    private static ProtocolError wrong(String what, String section) {
        return new ProtocolError(Status.BAD_GATEWAY, what, section);
    }
}
