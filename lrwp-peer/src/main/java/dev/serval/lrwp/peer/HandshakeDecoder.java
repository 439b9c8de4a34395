package dev.serval.lrwp.peer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads the agent's answer to a registration from any segmentation. Pure: no socket, no clock.
///
/// ```
///        OK (1.0), OK FF (2.0)
/// START ───────────────────────────▶ Accepted
///   │    CHALLENGE FF 000000032 + 32 bytes
///   ├──────────────────────────────▶ Challenged, then again from START
///   │    REJECTED FF text FF, or any other text up to the end
///   └──────────────────────────────▶ Refused
/// ```
///
/// It takes no byte after `OK`, because the first request may follow at once.
final class HandshakeDecoder {
    /// The longest answer, in bytes.
    static final int ANSWER_MAX_BYTES = 1_024;

    private static final int MARK = 0xFF;
    private static final int CHALLENGE_BYTES = 32;
    private static final byte[] OK = ascii("OK");
    private static final byte[] REJECTED = ascii("REJECTED");
    private static final byte[] CHALLENGE = ascii("CHALLENGE");
    private static final int SHOWN_MAX_CHARS = 200;

    /// What the agent said.
    sealed interface Answer {
        /// The peer is registered.
        record Accepted() implements Answer {}

        /// The agent asks for the passphrase.
        record Challenged(byte[] challenge) implements Answer {}

        /// The agent refuses, with this text.
        record Refused(String text) implements Answer {}
    }

    private final LrwpVersion version;
    private final byte[] seen = new byte[ANSWER_MAX_BYTES];
    private int count;
    private @Nullable Answer answer;

    HandshakeDecoder(LrwpVersion version) {
        this.version = version;
    }

    /// Returns the answer, or null if more bytes are needed.
    @Nullable Answer answer() {
        return answer;
    }

    /// Reads bytes up to the end of an answer.
    ///
    /// @return the index after the last byte taken
    int decode(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && answer == null) {
            int next = bytes[at] & 0xFF;
            // An agent of 1.0 does not send the mark of 2.0, but a digit of its first request.
            if (version == LrwpVersion.V2_0 && is(OK) && next != MARK) {
                if (isDigit(next)) {
                    answer = new Answer.Accepted();
                    break;
                }
            }
            seen[count++] = bytes[at++];
            answer = judge();
        }
        return at;
    }

    /// Ends the answer where the agent closed or fell silent: the text so far is its refusal.
    void end() {
        if (answer == null) {
            answer = new Answer.Refused(shown(0, count));
        }
    }

    /// Forgets a challenge, to read the answer to its response.
    void reset() {
        count = 0;
        answer = null;
    }

    private @Nullable Answer judge() {
        if (version == LrwpVersion.V1_0 && is(OK)) {
            return new Answer.Accepted();
        }
        if (version == LrwpVersion.V2_0) {
            int last = seen[count - 1] & 0xFF;
            if (count == OK.length + 1 && last == MARK && begins(OK)) {
                return new Answer.Accepted();
            }
            if (begins(REJECTED) && last == MARK && count > REJECTED.length + 1) {
                return new Answer.Refused(shown(REJECTED.length + 1, count - 1));
            }
            if (begins(CHALLENGE)) {
                return challenge();
            }
        }
        return count == seen.length ? new Answer.Refused(shown(0, count)) : null;
    }

    private @Nullable Answer challenge() {
        int digits = CHALLENGE.length + 1;
        int start = digits + RequestDecoder.DIGITS;
        if (count < start) {
            return null;
        }
        if ((seen[CHALLENGE.length] & 0xFF) != MARK
                || RequestDecoder.length(seen, digits) != CHALLENGE_BYTES) {
            return new Answer.Refused("a challenge of a form that LRWP 2.0 does not have");
        }
        return count < start + CHALLENGE_BYTES
                ? null
                : new Answer.Challenged(Arrays.copyOfRange(seen, start, start + CHALLENGE_BYTES));
    }

    private boolean is(byte[] word) {
        return count == word.length && begins(word);
    }

    private boolean begins(byte[] word) {
        return count >= word.length && Arrays.equals(seen, 0, word.length, word, 0, word.length);
    }

    private static boolean isDigit(int value) {
        return value >= '0' && value <= '9';
    }

    /// Returns printable text of a part, so that an agent cannot forge lines of a log.
    private String shown(int from, int to) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < to && text.length() < SHOWN_MAX_CHARS; i++) {
            int value = seen[i] & 0xFF;
            text.append(value < ' ' || value >= 0x7F ? '.' : (char) value);
        }
        return text.toString().strip();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
