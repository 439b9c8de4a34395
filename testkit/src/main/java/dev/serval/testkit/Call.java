package dev.serval.testkit;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One request of a [Caller] and what comes of it. Long content is a pattern that both directions
/// make and check byte by byte and nobody keeps; of what else is received the first 64 KiB are kept.
public final class Call {
    private static final int KEPT_MAX = 64 << 10;
    private static final int PERIOD = 251; // no power of two: pieces in the wrong order show

    /// A request's head.
    ///
    /// @param length of its content: 0 for none, -1 where only its end tells
    /// @param upgrade whether it asks for a tunnel
    /// @param fields `Name: value` lines, each with its line end, besides Host and what tells the
    ///     length
    public record Ask(String method, String target, long length, boolean upgrade, String fields) {
        /// A GET.
        public static Ask get(String target) {
            return new Ask("GET", target, 0, false, "");
        }

        /// A POST of so many bytes, -1 where only the end tells.
        public static Ask post(String target, long length) {
            return new Ask("POST", target, length, false, "");
        }

        /// A request for a tunnel.
        public static Ask tunnel(String target) {
            return new Ask("GET", target, 0, true, "");
        }

        /// With another field.
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

    // What is sent

    /// Adds a text to the content, or to what goes through the tunnel.
    public Call send(String text) {
        pieces.addLast(text.getBytes(StandardCharsets.ISO_8859_1));
        return this;
    }

    /// Adds so many bytes of the pattern.
    public Call sendPattern(long bytes) {
        patternTo += bytes;
        return this;
    }

    /// Ends our direction.
    public Call finish() {
        return finish("");
    }

    /// Ends our direction with trailers: lines with their line ends.
    public Call finish(String lines) {
        finished = true;
        ownTrailers = lines;
        return this;
    }

    /// Gives the call up: resets its stream, or the connection where it has no other.
    public void reset() {
        broken();
        caller.codec().reset(this);
    }

    /// Takes no more of the response, for now.
    public Call pause() {
        paused = true;
        return this;
    }

    /// Takes it again.
    public Call resume() {
        paused = false;
        caller.codec().resumed(this);
        return this;
    }

    /// What is received is the pattern, and nothing else.
    public Call expectPattern() {
        patterned = true;
        return this;
    }

    // What came

    /// Statuses of interim responses.
    public List<Integer> interims() {
        return List.copyOf(interims);
    }

    /// What was asked for.
    public String target() {
        return ask.target();
    }

    /// The final status; 0 before.
    public int status() {
        return status;
    }

    /// The value of the field with that name in the final head.
    public @Nullable String field(String name) {
        return fields.lines()
                .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElse(null);
    }

    /// The trailers, as they stood.
    public String trailers() {
        return trailers;
    }

    /// Bytes of content received.
    public long length() {
        return length;
    }

    /// The content, up to 64 KiB of it.
    public String text() {
        return kept.toString(StandardCharsets.ISO_8859_1);
    }

    /// Whether the tunnel was opened.
    public boolean isTunnel() {
        return tunnelled;
    }

    /// Whether the response came to its end as its framing says.
    public boolean isWhole() {
        return state == State.WHOLE;
    }

    /// Whether it never will.
    public boolean isBroken() {
        return state == State.BROKEN;
    }

    /// Whether nothing more comes.
    public boolean isOver() {
        return state != State.OPEN;
    }

    /// Bytes of content not sent yet.
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

    // What a codec calls

    boolean isPaused() {
        return paused;
    }

    /// Moves content that is to be sent next to `into`.
    ///
    /// @return bytes
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

    /// Whether nothing more is to be sent, the end excepted.
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
