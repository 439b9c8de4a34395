package dev.serval.file;

import java.util.Arrays;

/// The parts that a Range field (RFC 9110 §14.2) selects from content of known length. Immutable.
sealed interface ByteRanges {
    /// The most ranges in one field. A field with more is ignored, because many small or
    /// overlapping ranges cost the server more than the client (§14.2, §17.15). Programs that renew
    /// their copy of a file, such as zsync, ask for 20 at a time.
    int RANGES_MAX = 64;

    /// The most ranges that may overlap another one. A field with more is ignored (§14.2).
    int OVERLAPPING_MAX = 2;

    /// The field is ignored, so the whole content is sent.
    enum Ignored implements ByteRanges {
        /// The field has another unit or broken syntax, or is abusive.
        IGNORED
    }

    /// No range contains a byte of the content: 416.
    enum Unsatisfiable implements ByteRanges {
        /// Every range begins after the end of the content.
        UNSATISFIABLE
    }

    /// The parts to send, in the order of the field. No part overlaps or abuts another. There is at
    /// least one part.
    ///
    /// @param firsts index of each part's first byte
    /// @param ends index after each part's last byte
    record Parts(long[] firsts, long[] ends) implements ByteRanges {
        int count() {
            return firsts.length;
        }
    }

    /// Parses the value `bytes[from, to)`.
    ///
    /// @param length bytes of the content
    static ByteRanges parse(byte[] bytes, int from, int to, long length) {
        return new Parser(bytes, from, to, length).parse();
    }

    /// Parses one field once. Positions above [Long#MAX_VALUE] count as that value.
    final class Parser {
        private static final long ABSENT = -1;
        private static final String UNIT = "bytes=";
        private static final int FIRST_CAPACITY = 4; // nearly all fields have one range

        private final byte[] bytes;
        private final int to;
        private final long length;
        private long[] firsts = new long[FIRST_CAPACITY];
        private long[] ends = new long[FIRST_CAPACITY];
        private int at;
        private int seen;
        private int count;
        private boolean emptySuffix;

        Parser(byte[] bytes, int from, int to, long length) {
            this.bytes = bytes;
            this.at = from;
            this.to = to;
            this.length = length;
        }

        ByteRanges parse() {
            if (!unit() || !rangeSet()) {
                return Ignored.IGNORED;
            }
            if (emptySuffix || overlapping() > OVERLAPPING_MAX) {
                return Ignored.IGNORED; // a suffix of empty content is all of it
            }
            if (count == 0) {
                return Unsatisfiable.UNSATISFIABLE;
            }
            coalesce();
            return new Parts(Arrays.copyOf(firsts, count), Arrays.copyOf(ends, count));
        }

        /// Compares the unit without regard to case (§14.1).
        private boolean unit() {
            if (to - at <= UNIT.length()) {
                return false;
            }
            for (int i = 0; i < UNIT.length(); i++) {
                int b = bytes[at + i];
                if ((b >= 'A' && b <= 'Z' ? b | 0x20 : b) != UNIT.charAt(i)) {
                    return false;
                }
            }
            at += UNIT.length();
            return bytes[at] != ' ' && bytes[at] != '\t';
        }

        /// Parses `1#range-spec` (§14.1.1). Empty elements are skipped (§5.6.1.2).
        private boolean rangeSet() {
            while (at < to) {
                skipWhiteSpace();
                if (at < to && bytes[at] != ',') {
                    if (++seen > RANGES_MAX || !range()) {
                        return false;
                    }
                    skipWhiteSpace();
                }
                if (at < to && bytes[at++] != ',') {
                    return false;
                }
            }
            return seen > 0;
        }

        private boolean range() {
            long first = number();
            if (at == to || bytes[at++] != '-') {
                return false;
            }
            long last = number();
            if (first == ABSENT) {
                return last != ABSENT && suffix(last);
            }
            if (last != ABSENT && last < first) {
                return false; // §14.1.1: the whole field is invalid
            }
            if (first < length) {
                long end = last == ABSENT || last >= length ? length : last + 1;
                add(first, end);
            }
            return true;
        }

        /// Adds the last `n` bytes, or all bytes if there are fewer (§14.1.2).
        private boolean suffix(long n) {
            if (n > 0 && length > 0) {
                add(Math.max(0, length - n), length);
            }
            emptySuffix |= n > 0 && length == 0;
            return true;
        }

        private void add(long first, long end) {
            if (count == firsts.length) {
                firsts = Arrays.copyOf(firsts, 2 * count);
                ends = Arrays.copyOf(ends, 2 * count);
            }
            firsts[count] = first;
            ends[count] = end;
            count++;
        }

        private long number() {
            if (at == to || bytes[at] < '0' || bytes[at] > '9') {
                return ABSENT;
            }
            long number = 0;
            for (; at < to && bytes[at] >= '0' && bytes[at] <= '9'; at++) {
                int digit = bytes[at] - '0';
                number =
                        number > (Long.MAX_VALUE - digit) / 10
                                ? Long.MAX_VALUE
                                : number * 10 + digit;
            }
            return number;
        }

        private void skipWhiteSpace() {
            while (at < to && (bytes[at] == ' ' || bytes[at] == '\t')) {
                at++;
            }
        }

        private int overlapping() {
            int overlapping = 0;
            for (int i = 0; i < count; i++) {
                boolean overlaps = false;
                for (int k = 0; k < count; k++) {
                    overlaps |= k != i && firsts[i] < ends[k] && firsts[k] < ends[i];
                }
                overlapping += overlaps ? 1 : 0;
            }
            return overlapping;
        }

        /// Joins parts that overlap or abut, at the position of the first one (§15.3.7.2).
        private void coalesce() {
            for (int i = 0; i < count; i++) {
                for (int k = i + 1; k < count; k++) {
                    if (firsts[i] <= ends[k] && firsts[k] <= ends[i]) {
                        firsts[i] = Math.min(firsts[i], firsts[k]);
                        ends[i] = Math.max(ends[i], ends[k]);
                        remove(k);
                        k = i; // the longer part may now abut an earlier one
                    }
                }
            }
        }

        private void remove(int k) {
            count--;
            System.arraycopy(firsts, k + 1, firsts, k, count - k);
            System.arraycopy(ends, k + 1, ends, k, count - k);
        }
    }
}
