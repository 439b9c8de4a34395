package dev.serval.http2;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// Writes down the frames that it takes, one a line. The pieces of content are joined, so that the
/// text is the same at every cut.
final class Recorder implements FrameSink {
    private final StringBuilder text = new StringBuilder();
    private final FrameReader reader = new FrameReader();

    /// Reads bytes that arrive in pieces.
    ///
    /// @param ends the end of each piece; the last one is the end of the bytes
    /// @return the frames, then the error, or `+` and the number of bytes that are left
    static String read(byte[] bytes, int... ends) {
        Recorder recorder = new Recorder();
        int from = 0;
        for (int end : ends) {
            while (true) {
                int used = recorder.reader.read(bytes, from, end, recorder);
                if (used == FrameReader.ERROR) {
                    return recorder.text + String.valueOf(recorder.reader.error());
                }
                if (used == FrameReader.NEED_MORE) {
                    break;
                }
                from += used;
            }
        }
        int left = bytes.length - from;
        return recorder.text + (left == 0 ? "" : "+" + left);
    }

    /// Reads bytes whole, byte by byte, and cut at every position.
    ///
    /// @return the result, or the cut at which it differs
    static String readInAllWays(byte[] bytes) {
        String whole = read(bytes, bytes.length);
        int[] every = new int[bytes.length];
        Arrays.setAll(every, i -> i + 1);
        if (!read(bytes, every).equals(whole)) {
            return "byte by byte: " + read(bytes, every) + ", not " + whole;
        }
        for (int cut = 1; cut < bytes.length; cut++) {
            String twice = read(bytes, cut, bytes.length);
            if (!twice.equals(whole)) {
                return "cut at " + cut + ": " + twice + ", not " + whole;
            }
        }
        return whole;
    }

    private @Nullable FrameError note(String line) {
        text.append(line).append('\n');
        return null;
    }

    private static String hex(byte[] from, int at, int end) {
        return HexFormat.of().formatHex(from, at, end);
    }

    @Override
    public @Nullable FrameError data(int stream, int length, int padding) {
        text.append("data ")
                .append(stream)
                .append(' ')
                .append(length)
                .append('-')
                .append(padding)
                .append(' ');
        return null;
    }

    @Override
    public @Nullable FrameError content(int stream, byte[] from, int at, int end) {
        text.append(hex(from, at, end));
        return null;
    }

    @Override
    public @Nullable FrameError dataEnd(int stream, boolean last) {
        return note(last ? " last" : "");
    }

    @Override
    public @Nullable FrameError headers(int stream, boolean last) {
        text.append("headers ").append(stream).append(last ? " last " : " ");
        return null;
    }

    @Override
    public @Nullable FrameError continuation() {
        text.append("continuation ");
        return null;
    }

    @Override
    public @Nullable FrameError block(byte[] from, int at, int end, boolean whole) {
        return note(hex(from, at, end) + (whole ? " whole" : ""));
    }

    @Override
    public @Nullable FrameError priority(int stream) {
        return note("priority " + stream);
    }

    @Override
    public @Nullable FrameError priorityUpdate(int stream, byte[] from, int at, int end) {
        return note("priorityUpdate " + stream + " " + hex(from, at, end));
    }

    @Override
    public @Nullable FrameError rstStream(int stream, int code) {
        return note("rstStream " + stream + " " + code);
    }

    @Override
    public @Nullable FrameError setting(int id, long value) {
        text.append("setting ").append(id).append('=').append(value).append(' ');
        return null;
    }

    @Override
    public @Nullable FrameError settingsEnd() {
        return note("settings");
    }

    @Override
    public @Nullable FrameError settingsAck() {
        return note("settingsAck");
    }

    @Override
    public @Nullable FrameError ping(boolean ack, long opaque) {
        return note("ping " + (ack ? "ack " : "") + Long.toHexString(opaque));
    }

    @Override
    public @Nullable FrameError goAway(int code) {
        return note("goAway " + code);
    }

    @Override
    public @Nullable FrameError windowUpdate(int stream, int increment) {
        return note("windowUpdate " + stream + " " + increment);
    }

    @Override
    public @Nullable FrameError unknown() {
        return note("unknown");
    }
}
