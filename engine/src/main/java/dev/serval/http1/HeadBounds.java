package dev.serval.http1;

import dev.serval.policy.Limits;

/// The bounds of a head in a buffer, and whether it is worth reading again. Immutable.
final class HeadBounds {
    private final Limits.Heads limits;

    HeadBounds(Limits.Heads limits) {
        this.limits = limits;
    }

    /// Returns whether fresh bytes can change the result for an incomplete head. They can if they
    /// have or complete a line end, have another control character, or pass a limit.
    boolean worthReading(byte[] buffer, int from, int to, int fresh) {
        if (buffer[fresh - 1] == '\r' || Scan.control(buffer, fresh, to) < to) {
            return true;
        }
        int length = to - from;
        if (length <= limits.lineMaxBytes() && length < limits.maxBytes()) {
            return false;
        }
        int line = buffer[from] == '\r' ? from + 2 : from; // after an empty line
        int longest = (int) Math.min(fresh, line + 2L + limits.lineMaxBytes());
        boolean inFirstLine = Scan.indexOf('\n', buffer, line, longest) == longest;
        return inFirstLine || length >= limits.maxBytes();
    }

    /// Returns the end of the bytes that may be read for a head that begins at `start`.
    int limit(int start, int to) {
        return (int) Math.min(to, (long) start + limits.maxBytes());
    }

    /// Returns whether a head that is incomplete at `limit` is too large.
    boolean exhausted(int start, int limit) {
        return limit - start >= limits.maxBytes();
    }

    /// Returns whether the first line, from `start` to `end`, is too long.
    boolean lineTooLong(int start, int end) {
        return end - start > limits.lineMaxBytes();
    }

    /// Returns the end of the longest first line that begins at `start`.
    int lineLimit(int start) {
        return start + limits.lineMaxBytes();
    }

    /// Returns the largest number of fields allowed.
    int fieldsMax() {
        return limits.fieldsMax();
    }
}
