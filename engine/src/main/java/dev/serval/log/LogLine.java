package dev.serval.log;

import java.nio.charset.StandardCharsets;

/// Writes one line after the other into the memory of a ring. Values are escaped and cut, so that a
/// line never becomes longer than its format allows. Owned by one loop.
final class LogLine {
    private static final int CUT_BYTES = 3; // the dots of a value that was cut
    private static final int DIGITS_MAX = 20;
    private static final byte[] NOTHING = {};

    private final int valueMaxBytes;
    private final byte[] digits = new byte[DIGITS_MAX];
    private byte[] bytes = NOTHING;
    private int at;
    private TimeText[] times = {};
    private boolean shortened;

    /// Creates a line.
    ///
    /// @param valueMaxBytes bytes of one value, escaped
    LogLine(int valueMaxBytes) {
        this.valueMaxBytes = valueMaxBytes;
    }

    /// Begins a line at `into[from]`.
    ///
    /// @param cached the texts of the format's times that this loop has made last
    /// @param addressesShortened whether addresses of clients name only the network
    void begin(byte[] into, int from, TimeText[] cached, boolean addressesShortened) {
        bytes = into;
        at = from;
        times = cached;
        shortened = addressesShortened;
    }

    /// Returns the index after the line so far.
    int end() {
        return at;
    }

    /// Returns whether addresses of clients name only the network.
    boolean shortened() {
        return shortened;
    }

    /// Returns a text of a time that this loop has made last.
    TimeText time(int i) {
        return times[i];
    }

    /// Appends bytes as they are.
    void plain(byte[] text) {
        plain(text, text.length);
    }

    /// Appends the first bytes of an array as they are.
    void plain(byte[] text, int length) {
        System.arraycopy(text, 0, bytes, at, length);
        at += length;
    }

    /// Appends one ASCII character as it is.
    void plain(char c) {
        bytes[at++] = (byte) c;
    }

    /// Appends an ASCII text as it is, such as the name of a method.
    @SuppressWarnings("deprecation") // right for ASCII, and allocates nothing
    void plain(String text) {
        int length = text.length();
        text.getBytes(0, length, bytes, at);
        at += length;
    }

    /// Appends a number, which is not below 0.
    void number(long value) {
        int from = DIGITS_MAX;
        long rest = value;
        do {
            digits[--from] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest > 0);
        int length = DIGITS_MAX - from;
        System.arraycopy(digits, from, bytes, at, length);
        at += length;
    }

    /// Appends a number with leading zeros.
    void number(long value, int width) {
        long rest = value;
        for (int i = at + width - 1; i >= at; i--) {
            bytes[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        at += width;
    }

    /// Appends the value `from[start, end)`.
    void value(byte[] from, int start, int end, Escaping escaping) {
        int length = end - start;
        if (length <= valueMaxBytes && escaping.isPlain(from, start, end)) {
            System.arraycopy(from, start, bytes, at, length);
            at += length;
            return;
        }
        boolean high = escaping.keepsHigh(from, start, end);
        int most = at + valueMaxBytes - CUT_BYTES - Escaping.GROWTH_MAX;
        for (int i = start; i < end; i++) {
            if (at > most && i < end - 1) {
                cut(high);
                return;
            }
            boolean control = high && Escaping.beginsControl(from, i);
            i += control ? 1 : 0;
            at = escaping.write(from[i], high && !control, bytes, at);
        }
    }

    /// Appends a text value. Characters outside ISO-8859-1 are written as UTF-8.
    void value(String text, Escaping escaping) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        value(encoded, 0, encoded.length, escaping);
    }

    /// Ends a value that is too long. What is left of a character of UTF-8 goes.
    private void cut(boolean high) {
        if (high) {
            while (bytes[at - 1] < 0 && (bytes[at - 1] & 0xc0) == 0x80) {
                at--;
            }
            if (bytes[at - 1] < 0) {
                at--;
            }
        }
        plain('.');
        plain('.');
        plain('.');
    }
}
