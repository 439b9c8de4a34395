package dev.serval.bench.load;

import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What became of a planned request.
public enum Fate {
    /// A complete answer with status 200 and the right length.
    RIGHT("right"),
    /// An answer with status 503.
    UNAVAILABLE("503"),
    /// An answer with status 429.
    TOO_MANY("429"),
    /// Another answer: another status, another length, or no HTTP.
    WRONG("wrong"),
    /// The connection was made, and ended before the answer.
    RESET("reset"),
    /// The connection was refused.
    REFUSED("refused"),
    /// There was no answer in the time that a client waits.
    TIMEOUT("timeout"),
    /// The generator could not send it: no descriptor or port was left.
    NOT_SENT("not sent");

    private final String word;

    Fate(String word) {
        this.word = word;
    }

    /// Returns the word for tables.
    public String word() {
        return word;
    }

    /// Returns whether the server turned the request away.
    public boolean isRefusal() {
        return switch (this) {
            case UNAVAILABLE, TOO_MANY, WRONG, RESET, REFUSED -> true;
            case RIGHT, TIMEOUT, NOT_SENT -> false;
        };
    }

    /// Returns what an answer means.
    public static Fate of(int status, boolean rightLength) {
        return switch (status) {
            case 200 -> rightLength ? RIGHT : WRONG;
            case 503 -> UNAVAILABLE;
            case 429 -> TOO_MANY;
            default -> WRONG;
        };
    }

    /// Returns whether the server or this machine did not make a connection.
    static Fate unconnected(@Nullable IOException cause) {
        String why =
                String.valueOf(cause == null ? "" : cause.getMessage()).toLowerCase(Locale.ROOT);
        boolean ours = why.contains("assign requested address") || why.contains("too many open");
        return ours ? NOT_SENT : REFUSED;
    }
}
