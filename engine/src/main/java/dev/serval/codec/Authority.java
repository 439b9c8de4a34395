package dev.serval.codec;

/// Checks the grammar `uri-host [ ":" port ]` (RFC 9110 §7.2, RFC 3986 §3.2.2) of a Host field and
/// of a target's authority. User information is refused (RFC 9110 §4.2.4). Stateless.
public final class Authority {
    private static final int PORT_MAX = 65535;

    private Authority() {}

    /// Returns whether `bytes[from, to)` is an authority. The grammar allows an empty host: see
    /// [#named].
    public static boolean valid(byte[] bytes, int from, int to) {
        int end =
                from < to && bytes[from] == '['
                        ? literalEnd(bytes, from, to)
                        : nameEnd(bytes, from, to);
        return end == to || (end >= 0 && bytes[end] == ':' && port(bytes, end + 1, to));
    }

    /// Returns whether the valid authority `bytes[from, to)` names a host.
    public static boolean named(byte[] bytes, int from, int to) {
        return from < to && bytes[from] != ':';
    }

    /// Returns whether the valid authority `bytes[from, to)` names a port.
    public static boolean hasPort(byte[] bytes, int from, int to) {
        int digit = to - 1;
        while (digit >= from && ByteRules.digit(bytes[digit]) >= 0 && bytes[digit] <= '9') {
            digit--;
        }
        return digit >= from && digit < to - 1 && bytes[digit] == ':';
    }

    /// Returns the end of the valid authority `bytes[from, to)` without a port that is empty or `usual`,
    /// which says nothing (RFC 3986 §6.2.3).
    public static int endWithoutPort(byte[] bytes, int from, int to, int usual) {
        int digit = to;
        int port = 0;
        for (int unit = 1;
                digit > from && bytes[digit - 1] >= '0' && bytes[digit - 1] <= '9';
                unit *= 10) {
            digit--;
            port += (bytes[digit] - '0') * unit;
        }
        boolean hasPort = digit > from && bytes[digit - 1] == ':';
        return hasPort && (digit == to || port == usual) ? digit - 1 : to;
    }

    /// Returns whether two authorities are the same but for the case of letters (RFC 3986 §6.2.2.1).
    public static boolean same(byte[] one, int oneFrom, int oneTo, byte[] other, int from, int to) {
        boolean same = oneTo - oneFrom == to - from;
        for (int i = 0; same && i < to - from; i++) {
            same = ByteRules.lower(one[oneFrom + i]) == ByteRules.lower(other[from + i]);
        }
        return same;
    }

    /// Returns the end of the registered name or IPv4 address, or -1.
    private static int nameEnd(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to) {
            if (ByteRules.host(bytes[i])) {
                i++;
            } else if (bytes[i] == '%') {
                if (i + 2 >= to || !ByteRules.hex(bytes[i + 1]) || !ByteRules.hex(bytes[i + 2])) {
                    return -1;
                }
                i += 3;
            } else {
                return i;
            }
        }
        return i;
    }

    /// Returns the end of the IP literal that begins with a bracket, or -1.
    private static int literalEnd(byte[] bytes, int from, int to) {
        int close = from;
        while (close < to && bytes[close] != ']') {
            close++;
        }
        if (close == to) {
            return -1;
        }
        boolean future = (bytes[from + 1] | 0x20) == 'v';
        boolean valid = future ? ipFuture(bytes, from + 2, close) : ipv6(bytes, from + 1, close);
        return valid ? close + 1 : -1;
    }

    private static boolean ipFuture(byte[] bytes, int from, int to) {
        int dot = hexEnd(bytes, from, to);
        if (dot == from || dot + 1 >= to || bytes[dot] != '.') {
            return false;
        }
        for (int i = dot + 1; i < to; i++) {
            if (bytes[i] != ':' && !ByteRules.host(bytes[i])) {
                return false;
            }
        }
        return true;
    }

    /// Accepts eight groups of up to four digits, or fewer with one `::`. An IPv4 address may
    /// replace the last two groups.
    private static boolean ipv6(byte[] bytes, int from, int to) {
        int groups = 0;
        boolean gap = startsWithGap(bytes, from, to);
        int i = gap ? from + 2 : from;
        while (i < to) {
            int end = hexEnd(bytes, i, to);
            if (end < to && bytes[end] == '.') {
                return ipv4(bytes, i, to) && (gap ? groups <= 5 : groups == 6);
            }
            if (end == i || end - i > 4 || end + 1 == to) {
                return false;
            }
            groups++;
            i = end + 1;
            if (startsWithGap(bytes, end, to)) {
                if (gap) {
                    return false;
                }
                gap = true;
                i++;
            } else if (end < to && bytes[end] != ':') {
                return false;
            }
        }
        return gap ? groups <= 7 : groups == 8;
    }

    private static int hexEnd(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && ByteRules.hex(bytes[at])) {
            at++;
        }
        return at;
    }

    private static boolean startsWithGap(byte[] bytes, int at, int to) {
        return at + 1 < to && bytes[at] == ':' && bytes[at + 1] == ':';
    }

    private static boolean ipv4(byte[] bytes, int from, int to) {
        int numbers = 0;
        int i = from;
        while (i < to) {
            int end = i;
            int value = 0;
            while (end < to && end - i < 3 && bytes[end] >= '0' && bytes[end] <= '9') {
                value = value * 10 + bytes[end] - '0';
                end++;
            }
            boolean number = end > i && value <= 255 && (bytes[i] != '0' || end == i + 1);
            if (!number || (end < to && (bytes[end] != '.' || end + 1 == to))) {
                return false;
            }
            numbers++;
            i = end + 1;
        }
        return numbers == 4;
    }

    /// Accepts digits that are a TCP port, or nothing (RFC 3986 §3.2.3).
    private static boolean port(byte[] bytes, int from, int to) {
        int value = 0;
        for (int i = from; i < to; i++) {
            if (bytes[i] < '0' || bytes[i] > '9') {
                return false;
            }
            value = value * 10 + bytes[i] - '0';
            if (value > PORT_MAX) {
                return false;
            }
        }
        return true;
    }
}
