package dev.serval.log;

import dev.serval.handler.AccessRecord;

/// One part of a format: a literal or what it says about an exchange. Immutable.
///
/// @param writer appends the part to a line
/// @param values how many values of any length it appends; [LogLine] cuts each of them
/// @param plainBytes the most bytes that it appends besides
/// @param timed whether it tells how long something took
/// @param traces whether it tells to which trace the request belongs
record Part(Writer writer, int values, int plainBytes, boolean timed, boolean traces) {
    /// The most bytes of a number, an address or a date.
    static final int SHORT_BYTES = 64;

    /// Appends a part of a line. On the loop, without allocation.
    @FunctionalInterface
    interface Writer {
        /// Appends it.
        void write(AccessRecord x, LogLine line);
    }

    /// Creates a part without durations and traces.
    Part(Writer writer, int values, int plainBytes) {
        this(writer, values, plainBytes, false, false);
    }

    /// Creates a part that appends no more than [#SHORT_BYTES].
    static Part brief(Writer writer) {
        return new Part(writer, 0, SHORT_BYTES);
    }

    /// Creates a part that tells how long something took.
    static Part duration(Writer writer) {
        return new Part(writer, 0, SHORT_BYTES, true, false);
    }

    /// Creates a part that appends one value.
    static Part value(Writer writer) {
        return new Part(writer, 1, SHORT_BYTES);
    }

    /// Creates a part that appends bytes as they are.
    static Part literal(byte[] text) {
        return new Part((_, line) -> line.plain(text), 0, text.length);
    }

    /// Returns this part with another writer.
    Part with(Writer other) {
        return new Part(other, values, plainBytes, timed, traces);
    }

    /// Returns this part as one that tells to which trace the request belongs.
    Part thatTraces() {
        return new Part(writer, values, plainBytes, timed, true);
    }
}
