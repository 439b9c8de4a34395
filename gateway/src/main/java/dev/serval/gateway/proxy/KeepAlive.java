package dev.serval.gateway.proxy;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import java.util.concurrent.TimeUnit;

/// Reads how long an upstream keeps an idle connection: the parameter `timeout` of Keep-Alive, in
/// seconds (RFC 2068 §19.7.1.1). Node.js and Apache send it. Stateless.
final class KeepAlive {
    /// A request that is on its way when the upstream closes is lost, so the connection is left this
    /// much earlier.
    private static final long MARGIN_SECONDS = 1;

    private static final long SECONDS_MAX = 1_000_000_000;
    private static final String TIMEOUT = "timeout=";

    private KeepAlive() {}

    /// Returns for how many nanoseconds a connection may be idle and then still get a request; 0 if it
    /// may get no other one, and `Long.MAX_VALUE` if the upstream does not say.
    static long idleMaxNanos(Fields fields) {
        long least = Long.MAX_VALUE;
        for (int i = fields.indexOf(FieldName.KEEP_ALIVE, 0);
                i >= 0;
                i = fields.indexOf(FieldName.KEEP_ALIVE, i + 1)) {
            least = Math.min(least, timeoutSeconds(fields, i));
        }
        return least == Long.MAX_VALUE
                ? least
                : TimeUnit.SECONDS.toNanos(Math.max(0, least - MARGIN_SECONDS));
    }

    /// Returns the parameter of value `i`, such as `timeout=5, max=100`. One that is no number says
    /// nothing.
    private static long timeoutSeconds(Fields fields, int i) {
        byte[] bytes = fields.buffer();
        int end = fields.valueEnd(i);
        for (int at = fields.valueAt(i); at < end; at = HopFields.next(bytes, at, end) + 1) {
            int from = HopFields.skip(bytes, at, end);
            int to = HopFields.memberEnd(bytes, from, end);
            if (beginsWithTimeout(bytes, from, to)) {
                return seconds(bytes, from + TIMEOUT.length(), to);
            }
        }
        return Long.MAX_VALUE;
    }

    private static boolean beginsWithTimeout(byte[] bytes, int from, int to) {
        if (to - from <= TIMEOUT.length()) {
            return false;
        }
        for (int k = 0; k < TIMEOUT.length(); k++) {
            if ((bytes[from + k] | 0x20) != TIMEOUT.charAt(k)) {
                return false;
            }
        }
        return true;
    }

    private static long seconds(byte[] bytes, int from, int to) {
        long seconds = 0;
        for (int at = from; at < to; at++) {
            int digit = bytes[at] - '0';
            if (digit < 0 || digit > 9) {
                return Long.MAX_VALUE;
            }
            seconds = Math.min(SECONDS_MAX, seconds * 10 + digit);
        }
        return seconds;
    }
}
