package dev.serval.file;

import java.util.Arrays;

/// What a Range field (RFC 9110 §14.2) asks of a content of known length. Immutable.
sealed interface ByteRanges {
    /// Ranges in one field; with more the field is ignored (§14.2 and §17.15: many small or
    /// overlapping ranges cost the server more than the client).
    int RANGES_MAX = 16;

    /// Ranges that may overlap another one; with more the field is ignored (§14.2).
    int OVERLAPPING_MAX = 2;

    /// As if the field were not there: the whole content.
    enum Ignored implements ByteRanges {
        /// Another unit, broken syntax, or an abuse.
        IGNORED
    }

    /// Not one of the ranges has a byte of the content: 416.
    enum Unsatisfiable implements ByteRanges {
        /// Every range begins behind the end.
        UNSATISFIABLE
    }

    /// The parts to send, in the order asked for, none touching another; at least one.
    ///
    /// @param firsts index of each part's first byte
    /// @param ends index behind each part's last byte
    record Parts(long[] firsts, long[] ends) implements ByteRanges {
        int count() {
            return firsts.length;
        }
    }

    /// Reads the value `bytes[from, to)`.
    ///
    /// @param length bytes of the content
    static ByteRanges parse(byte[] bytes, int from, int to, long length) {
        return new Parser(bytes, from, to, length).parse();
    }

    /// One reading of one field. Positions past [Long#MAX_VALUE] count as that.
    final class Parser {
        private static final long ABSENT = -1;
        private static final String UNIT = "bytes=";

        private final byte[] bytes;
        private final int to;
        private final long length;
        private final long[] firsts = new long[RANGES_MAX];
        private final long[] ends = new long[RANGES_MAX];
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
                return Ignored.IGNORED; // the end of nothing is the whole of it
            }
            if (count == 0) {
                return Unsatisfiable.UNSATISFIABLE;
            }
            coalesce();
            return new Parts(Arrays.copyOf(firsts, count), Arrays.copyOf(ends, count));
        }

        /// Unit names are compared without regard to case (§14.1).
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

        /// `1#range-spec` (§14.1.1); empty elements are skipped (§5.6.1.2).
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
                return false; // §14.1.1: invalid, and with it the whole field
            }
            if (first < length) {
                long end = last == ABSENT || last >= length ? length : last + 1;
                add(first, end);
            }
            return true;
        }

        /// The last `n` bytes; all of them where there are not so many (§14.1.2).
        private boolean suffix(long n) {
            if (n > 0 && length > 0) {
                add(Math.max(0, length - n), length);
            }
            emptySuffix |= n > 0 && length == 0;
            return true;
        }

        private void add(long first, long end) {
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

        /// Joins parts that overlap or abut, at the place of the earlier asked for (§15.3.7.2).
        private void coalesce() {
            for (int i = 0; i < count; i++) {
                for (int k = i + 1; k < count; k++) {
                    if (firsts[i] <= ends[k] && firsts[k] <= ends[i]) {
                        firsts[i] = Math.min(firsts[i], firsts[k]);
                        ends[i] = Math.max(ends[i], ends[k]);
                        remove(k);
                        k = i; // the longer part may touch one that was passed already
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
