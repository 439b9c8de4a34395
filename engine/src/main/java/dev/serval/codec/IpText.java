package dev.serval.codec;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads numeric addresses and ports from bytes that a peer sent. It accepts only the usual form of
/// four decimal numbers (RFC 3986 §3.2.2) and the forms of RFC 4291 §2.2, without a zone. The forms
/// that `inet_aton` also knows, such as `127.1` and octal numbers, are refused, because two programs
/// read them as different addresses. Stateless.
public final class IpText {
    private static final int PORT_MAX = 65535;
    private static final int SIX_BYTES = 16;
    private static final int FOUR_BYTES = 4;

    private IpText() {}

    /// Returns the address that `text[from, to)` is, of either version; null if it is none.
    public static @Nullable InetAddress address(byte[] text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text[i] == ':') {
                return six(text, from, to);
            }
        }
        return four(text, from, to);
    }

    /// Returns the IPv4 address that `text[from, to)` is, such as `10.0.0.5`; null if it is none.
    public static @Nullable InetAddress four(byte[] text, int from, int to) {
        byte[] address = new byte[FOUR_BYTES];
        return four(text, from, to, address, 0) ? address(address) : null;
    }

    /// Returns the IPv6 address that `text[from, to)` is, such as `2001:db8::1`; null if it is none.
    /// An address that contains an IPv4 address is that address, as everywhere in Java.
    public static @Nullable InetAddress six(byte[] text, int from, int to) {
        byte[] address = new byte[SIX_BYTES];
        int gap = -1; // the index of the bytes after ::
        int length = 0;
        int at = from;
        if (isGap(text, from, to)) {
            gap = 0;
            at = from + 2;
        }
        while (at < to) {
            int end = groupEnd(text, at, to);
            if (end < to && text[end] == '.') {
                if (length > SIX_BYTES - FOUR_BYTES || !four(text, at, to, address, length)) {
                    return null;
                }
                length += FOUR_BYTES;
                break;
            }
            if (end == at || end - at > 4 || length == SIX_BYTES) {
                return null;
            }
            int group = group(text, at, end);
            address[length++] = (byte) (group >> 8);
            address[length++] = (byte) group;
            at = end;
            if (at < to) {
                int colons = colons(text, at, to, gap >= 0);
                if (colons == 0) {
                    return null;
                }
                gap = colons == 2 ? length : gap;
                at += colons;
            }
        }
        return filled(address, length, gap);
    }

    /// Returns the port that `text[from, to)` is, in decimal digits without leading zeros; -1 if it
    /// is none.
    public static int port(byte[] text, int from, int to) {
        return number(text, from, to, PORT_MAX);
    }

    private static boolean four(byte[] text, int from, int to, byte[] into, int index) {
        int at = from;
        for (int i = 0; i < FOUR_BYTES; i++) {
            int end = at;
            while (end < to && text[end] != '.') {
                end++;
            }
            int number = number(text, at, end, 255);
            boolean last = i == FOUR_BYTES - 1;
            if (number < 0 || last != (end == to)) {
                return false;
            }
            into[index + i] = (byte) number;
            at = end + 1;
        }
        return true;
    }

    private static int number(byte[] text, int from, int to, int most) {
        if (from >= to || (text[from] == '0' && to - from > 1)) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < to; i++) {
            if (text[i] < '0' || text[i] > '9') {
                return -1;
            }
            value = value * 10 + text[i] - '0';
            if (value > most) {
                return -1;
            }
        }
        return value;
    }

    /// Returns how many colons follow a group: one, two at the only gap, or 0 if none may follow.
    private static int colons(byte[] text, int at, int to, boolean hasGap) {
        if (isGap(text, at, to)) {
            return hasGap ? 0 : 2;
        }
        return text[at] == ':' && at + 1 < to ? 1 : 0;
    }

    private static boolean isGap(byte[] text, int at, int to) {
        return at + 1 < to && text[at] == ':' && text[at + 1] == ':';
    }

    private static int groupEnd(byte[] text, int from, int to) {
        int end = from;
        while (end < to && ByteRules.hex(text[end])) {
            end++;
        }
        return end;
    }

    private static int group(byte[] text, int from, int to) {
        int value = 0;
        for (int i = from; i < to; i++) {
            value = value << 4 | ByteRules.digit(text[i]);
        }
        return value;
    }

    /// Moves what follows the gap to the end; a gap stands for at least one group.
    private static @Nullable InetAddress filled(byte[] address, int length, int gap) {
        if (gap < 0) {
            return length == SIX_BYTES ? address(address) : null;
        }
        if (length > SIX_BYTES - 2) {
            return null;
        }
        int after = length - gap;
        System.arraycopy(address, gap, address, SIX_BYTES - after, after);
        Arrays.fill(address, gap, SIX_BYTES - after, (byte) 0);
        return address(address);
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("An address of " + bytes.length + " bytes", e);
        }
    }
}
