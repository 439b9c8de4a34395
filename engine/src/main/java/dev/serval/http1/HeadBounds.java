package dev.serval.http1;

import dev.serval.policy.Limits;

/// How much of a buffer a head may take up, and whether reading it again is worth while. Immutable.
final class HeadBounds {
    private final Limits.Heads limits;

    HeadBounds(Limits.Heads limits) {
        this.limits = limits;
    }

    /// Whether fresh bytes can change the verdict on a head that was not complete before: they
    /// hold or complete a line end or another control character, or pass a limit.
    boolean worthReading(byte[] buffer, int from, int to, int fresh) {
        if (buffer[fresh - 1] == '\r' || Scan.control(buffer, fresh, to) < to) {
            return true;
        }
        int length = to - from;
        if (length <= limits.lineMaxBytes() && length < limits.maxBytes()) {
            return false;
        }
        int line = buffer[from] == '\r' ? from + 2 : from; // behind an empty line
        int longest = (int) Math.min(fresh, line + 2L + limits.lineMaxBytes());
        boolean inFirstLine = Scan.indexOf('\n', buffer, line, longest) == longest;
        return inFirstLine || length >= limits.maxBytes();
    }

    /// The end of what may be read of a head that begins at `start`.
    int limit(int start, int to) {
        return (int) Math.min(to, (long) start + limits.maxBytes());
    }

    /// Whether a head that is not complete at `limit` is too large.
    boolean exhausted(int start, int limit) {
        return limit - start >= limits.maxBytes();
    }

    /// Whether the first line, from `start` to `end`, is too long.
    boolean lineTooLong(int start, int end) {
        return end - start > limits.lineMaxBytes();
    }

    /// How many fields there may be.
    int fieldsMax() {
        return limits.fieldsMax();
    }
}
