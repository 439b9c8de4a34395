package dev.serval.testkit;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One request of a [Caller] and its response. Long content is a pattern: both sides generate it
/// and check it byte by byte, and keep none of it. Of other content, the first 64 KiB are kept.
public final class Call {
    private static final int KEPT_MAX = 64 << 10;
    private static final int PERIOD = 251; // not a power of two, to detect reordered pieces

    /// A request's head.
    ///
    /// @param length length of the content: 0 for none, -1 if only its end marks it
    /// @param upgrade whether it requests a tunnel
    /// @param fields `Name: value` lines, each with its line end, without Host and the framing
    ///     fields
    public record Ask(String method, String target, long length, boolean upgrade, String fields) {
        /// Returns a GET.
        public static Ask get(String target) {
            return new Ask("GET", target, 0, false, "");
        }

        /// Returns a POST of `length` bytes; -1 if only the end marks the length.
        public static Ask post(String target, long length) {
            return new Ask("POST", target, length, false, "");
        }

        /// Returns a request for a tunnel.
        public static Ask tunnel(String target) {
            return new Ask("GET", target, 0, true, "");
        }

        /// Returns this request with another field.
        public Ask with(String line) {
            return new Ask(method, target, length, upgrade, fields + line + "\r\n");
        }
    }

    private enum State {
        OPEN,
        WHOLE,
        BROKEN
    }

    private final Caller caller;
    final Ask ask;
    private final ArrayDeque<byte[]> pieces = new ArrayDeque<>();
    private long patternTo;
    private long patternAt;
    private boolean finished;
    private String ownTrailers = "";
    private State state = State.OPEN;
    private final List<Integer> interims = new ArrayList<>();
    private int status;
    private String fields = "";
    private String trailers = "";
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private long length;
    private boolean patterned;
    private boolean tunnelled;
    private boolean ended;
    private boolean paused;

    Call(Caller caller, Ask ask) {
        this.caller = caller;
        this.ask = ask;
        this.finished = ask.length() == 0 && !ask.upgrade();
    }

    // Sending

    /// Adds a text to the content or to the tunnel's bytes.
    public Call send(String text) {
        pieces.addLast(text.getBytes(StandardCharsets.ISO_8859_1));
        return this;
    }

    /// Adds `bytes` bytes of the pattern.
    public Call sendPattern(long bytes) {
        patternTo += bytes;
        return this;
    }

    /// Ends the client's direction.
    public Call finish() {
        return finish("");
    }

    /// Ends the client's direction with trailers, which are lines with their line ends.
    public Call finish(String lines) {
        finished = true;
        ownTrailers = lines;
        return this;
    }

    /// Aborts the call: resets its stream, or the connection if it carries no streams.
    public void reset() {
        broken();
        caller.codec().reset(this);
    }

    /// Stops reading the response until [#resume].
    public Call pause() {
        paused = true;
        return this;
    }

    /// Continues reading the response.
    public Call resume() {
        paused = false;
        caller.codec().resumed(this);
        return this;
    }

    /// Expects the pattern as content, and nothing else.
    public Call expectPattern() {
        patterned = true;
        return this;
    }

    // Receiving

    /// Returns the statuses of the interim responses.
    public List<Integer> interims() {
        return List.copyOf(interims);
    }

    /// Returns the target of the request.
    public String target() {
        return ask.target();
    }

    /// Returns the final status, or 0 before it was received.
    public int status() {
        return status;
    }

    /// Returns the value of the field with that name in the final head.
    public @Nullable String field(String name) {
        return fields.lines()
                .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElse(null);
    }

    /// Returns the trailers as they were received.
    public String trailers() {
        return trailers;
    }

    /// Returns the number of content bytes received.
    public long length() {
        return length;
    }

    /// Returns the content, at most 64 KiB of it.
    public String text() {
        return kept.toString(StandardCharsets.ISO_8859_1);
    }

    /// Returns whether the tunnel was opened.
    public boolean isTunnel() {
        return tunnelled;
    }

    /// Returns whether the response is complete, as its framing says.
    public boolean isWhole() {
        return state == State.WHOLE;
    }

    /// Returns whether the response can never be complete.
    public boolean isBroken() {
        return state == State.BROKEN;
    }

    /// Returns whether the call is over, complete or not.
    public boolean isOver() {
        return state != State.OPEN;
    }

    /// Returns the number of content bytes not sent yet.
    public long unsent() {
        long sum = patternTo - patternAt;
        for (byte[] piece : pieces) {
            sum += piece.length;
        }
        return sum;
    }

    @Override
    public String toString() {
        return ask.method()
                + " "
                + ask.target()
                + " "
                + status
                + " "
                + state
                + ", "
                + length
                + " bytes received, "
                + unsent()
                + " to be sent";
    }

    // For codecs

    boolean isPaused() {
        return paused;
    }

    /// Moves the next unsent content to `into`.
    ///
    /// @return number of bytes moved
    int takeUnsent(byte[] into, int at, int most) {
        byte @Nullable [] piece = pieces.peekFirst();
        if (piece != null) {
            int n = Math.min(most, piece.length);
            System.arraycopy(piece, 0, into, at, n);
            pieces.removeFirst();
            if (n < piece.length) {
                pieces.addFirst(Arrays.copyOfRange(piece, n, piece.length));
            }
            return n;
        }
        int n = (int) Math.min(most, patternTo - patternAt);
        int value = (int) (patternAt % PERIOD);
        for (int i = 0; i < n; i++) {
            into[at + i] = (byte) value;
            value = value + 1 == PERIOD ? 0 : value + 1;
        }
        patternAt += n;
        return n;
    }

    /// Returns whether all content was sent, and only the end is left to send.
    boolean hasFinished() {
        return finished && unsent() == 0 && !ended;
    }

    String takeEnd() {
        ended = true;
        return ownTrailers;
    }

    boolean hasEnded() {
        return ended;
    }

    void stopSending() {
        pieces.clear();
        patternTo = patternAt;
        ended = true;
    }

    void interim(int code) {
        interims.add(code);
    }

    void head(int code, String lines) {
        status = code;
        fields = lines;
    }

    void tunnelOpened(int code, String lines) {
        head(code, lines);
        tunnelled = true;
    }

    void content(byte[] bytes, int from, int to) {
        if (patterned) {
            int value = (int) (length % PERIOD);
            for (int i = from; i < to; i++) {
                if ((bytes[i] & 0xff) != value) {
                    throw new AssertionError("byte " + (length + i - from) + " is wrong: " + this);
                }
                value = value + 1 == PERIOD ? 0 : value + 1;
            }
        } else if (kept.size() < KEPT_MAX) {
            kept.write(bytes, from, Math.min(to - from, KEPT_MAX - kept.size()));
        }
        length += to - from;
    }

    void whole(String lines) {
        if (state == State.OPEN) {
            trailers = lines;
            state = State.WHOLE;
        }
    }

    void broken() {
        if (state == State.OPEN) {
            state = State.BROKEN;
        }
    }
}
