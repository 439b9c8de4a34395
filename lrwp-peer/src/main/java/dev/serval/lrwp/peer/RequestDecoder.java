package dev.serval.lrwp.peer;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads the head of a request from any segmentation: nine digits, the environment, nine digits.
/// The body of [#bodyBytes] bytes follows. An environment past the limit is skipped. Pure: no socket,
/// no clock, no log.
///
/// ```
///           9 digits                 L bytes               9 digits
/// LENGTH ──────────────▶ ENVIRONMENT ─────────▶ BODY_LENGTH ─────────▶ COMPLETE
///    └──── not a digit, or absurd ──────▶ FAULTY ◀──────────┘
/// ```
final class RequestDecoder {
    /// The digits of each length.
    static final int DIGITS = 9;

    /// The longest environment that is skipped. A longer one shows that the agent is out of step.
    static final int ENVIRONMENT_SKIPPED_MAX_BYTES = 16 << 20;

    private static final int LENGTH_MAX = 999_999_999;
    private static final int MARK = 0xFF;
    private static final int FIRST_BYTES = 4_096;

    /// How far the head is read.
    enum State {
        LENGTH,
        ENVIRONMENT,
        BODY_LENGTH,
        COMPLETE,
        FAULTY
    }

    private final int environmentMaxBytes;
    private State state = State.LENGTH;
    private boolean first = true;
    private int digits;
    private int length;
    private int filled; // or skipped
    private boolean tooLarge;
    private int bodyBytes;
    private byte[] environment = new byte[FIRST_BYTES];
    private @Nullable String fault;

    RequestDecoder(int environmentMaxBytes) {
        this.environmentMaxBytes = environmentMaxBytes;
    }

    /// Starts with the next request. The environment of the last one is overwritten.
    void reset() {
        first = false;
        digits = 0;
        length = 0;
        filled = 0;
        tooLarge = false;
        bodyBytes = 0;
        fault = null;
        enter(State.LENGTH);
    }

    /// Returns whether no byte of this request was read.
    boolean isUntouched() {
        return state == State.LENGTH && digits == 0;
    }

    State state() {
        return state;
    }

    /// Returns what is wrong, or null.
    @Nullable String fault() {
        return fault;
    }

    /// Returns whether the environment was larger than the limit, and so was skipped.
    boolean isTooLarge() {
        return tooLarge;
    }

    /// Returns a copy of the environment, which must not be too large.
    byte[] environment() {
        return Arrays.copyOf(environment, filled);
    }

    int bodyBytes() {
        return bodyBytes;
    }

    /// Reads bytes up to the end of the head or a fault.
    ///
    /// @return the index after the last byte taken
    int decode(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && state != State.COMPLETE && state != State.FAULTY) {
            at =
                    switch (state) {
                        case LENGTH, BODY_LENGTH -> digit(bytes[at] & 0xFF, at);
                        case ENVIRONMENT -> environment(bytes, at, to);
                        case COMPLETE, FAULTY -> at;
                    };
        }
        return at;
    }

    private int digit(int value, int at) {
        // Leniency: some agents send LRWP 2.0's mark after the OK of 1.0 too.
        if (first && value == MARK && isUntouched()) {
            first = false;
            return at + 1;
        }
        if (value < '0' || value > '9') {
            fault(
                    "byte "
                            + value
                            + " as digit "
                            + (digits + 1)
                            + " of the length of the "
                            + (state == State.LENGTH ? "environment" : "body")
                            + ": nine digits belong there");
            return at;
        }
        length = length * 10 + value - '0';
        if (++digits == DIGITS) {
            digits = 0;
            lengthComplete();
        }
        return at + 1;
    }

    private void lengthComplete() {
        if (state == State.BODY_LENGTH) {
            bodyBytes = length;
            enter(State.COMPLETE);
            return;
        }
        if (length > ENVIRONMENT_SKIPPED_MAX_BYTES) {
            fault(
                    "an environment of "
                            + length
                            + " bytes: at most "
                            + ENVIRONMENT_SKIPPED_MAX_BYTES
                            + " are skipped");
            return;
        }
        tooLarge = length > environmentMaxBytes;
        if (!tooLarge && environment.length < length) {
            environment = new byte[length];
        }
        enter(length == 0 ? State.BODY_LENGTH : State.ENVIRONMENT);
    }

    private int environment(byte[] bytes, int from, int to) {
        int part = Math.min(to - from, length - filled);
        if (!tooLarge) {
            System.arraycopy(bytes, from, environment, filled, part);
        }
        filled += part;
        if (filled == length) {
            length = 0;
            enter(State.BODY_LENGTH);
        }
        return from + part;
    }

    private void fault(String text) {
        fault = text;
        enter(State.FAULTY);
    }

    private void enter(State next) {
        state = next;
    }

    /// Writes a length as nine digits.
    ///
    /// @throws IllegalArgumentException if it has more
    static void putLength(byte[] bytes, int at, int length) {
        if (length > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "a length of " + length + " bytes: it must be at most " + LENGTH_MAX);
        }
        int rest = length;
        for (int i = at + DIGITS - 1; i >= at; i--) {
            bytes[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    /// Returns the length of nine digits, or -1 if one is not a digit.
    static int length(byte[] bytes, int at) {
        int value = 0;
        for (int i = at; i < at + DIGITS; i++) {
            if (bytes[i] < '0' || bytes[i] > '9') {
                return -1;
            }
            value = value * 10 + bytes[i] - '0';
        }
        return value;
    }
}
