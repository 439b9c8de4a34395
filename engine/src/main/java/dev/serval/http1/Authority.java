package dev.serval.http1;

import dev.serval.http.Octets;

/// The grammar of `uri-host [ ":" port ]` (RFC 9110 §7.2, RFC 3986 §3.2.2): what a Host field and the
/// authority of a target look like. User information is not part of it (RFC 9110 §4.2.4).
/// Stateless.
final class Authority {
    private static final int PORT_MAX = 65535;

    private Authority() {}

    /// Whether `octets[from, to)` is one. The grammar lets the host be empty: see [#named].
    static boolean valid(byte[] octets, int from, int to) {
        int end =
                from < to && octets[from] == '['
                        ? literalEnd(octets, from, to)
                        : nameEnd(octets, from, to);
        return end == to || (end >= 0 && octets[end] == ':' && port(octets, end + 1, to));
    }

    /// Whether the valid authority `octets[from, to)` names a host.
    static boolean named(byte[] octets, int from, int to) {
        return from < to && octets[from] != ':';
    }

    /// Whether the valid authority `octets[from, to)` names a port.
    static boolean hasPort(byte[] octets, int from, int to) {
        int digit = to - 1;
        while (digit >= from && Octets.digit(octets[digit]) >= 0 && octets[digit] <= '9') {
            digit--;
        }
        return digit >= from && digit < to - 1 && octets[digit] == ':';
    }

    /// Where the registered name or IPv4 address ends, or -1.
    private static int nameEnd(byte[] octets, int from, int to) {
        int i = from;
        while (i < to) {
            if (Octets.host(octets[i])) {
                i++;
            } else if (octets[i] == '%') {
                if (i + 2 >= to || !Octets.hex(octets[i + 1]) || !Octets.hex(octets[i + 2])) {
                    return -1;
                }
                i += 3;
            } else {
                return i;
            }
        }
        return i;
    }

    /// Where the IP literal that begins with a bracket ends, or -1.
    private static int literalEnd(byte[] octets, int from, int to) {
        int close = Scan.indexOf(']', octets, from, to);
        if (close == to) {
            return -1;
        }
        boolean future = (octets[from + 1] | 0x20) == 'v';
        boolean valid = future ? ipFuture(octets, from + 2, close) : ipv6(octets, from + 1, close);
        return valid ? close + 1 : -1;
    }

    private static boolean ipFuture(byte[] octets, int from, int to) {
        int dot = hexEnd(octets, from, to);
        if (dot == from || dot + 1 >= to || octets[dot] != '.') {
            return false;
        }
        for (int i = dot + 1; i < to; i++) {
            if (octets[i] != ':' && !Octets.host(octets[i])) {
                return false;
            }
        }
        return true;
    }

    /// Eight groups of up to four digits, or fewer with one `::`; the last two may be an IPv4
    /// address.
    private static boolean ipv6(byte[] octets, int from, int to) {
        int groups = 0;
        boolean gap = startsWithGap(octets, from, to);
        int i = gap ? from + 2 : from;
        while (i < to) {
            int end = hexEnd(octets, i, to);
            if (end < to && octets[end] == '.') {
                return ipv4(octets, i, to) && (gap ? groups <= 5 : groups == 6);
            }
            if (end == i || end - i > 4 || end + 1 == to) {
                return false;
            }
            groups++;
            i = end + 1;
            if (startsWithGap(octets, end, to)) {
                if (gap) {
                    return false;
                }
                gap = true;
                i++;
            } else if (end < to && octets[end] != ':') {
                return false;
            }
        }
        return gap ? groups <= 7 : groups == 8;
    }

    private static int hexEnd(byte[] octets, int from, int to) {
        int at = from;
        while (at < to && Octets.hex(octets[at])) {
            at++;
        }
        return at;
    }

    private static boolean startsWithGap(byte[] octets, int at, int to) {
        return at + 1 < to && octets[at] == ':' && octets[at + 1] == ':';
    }

    private static boolean ipv4(byte[] octets, int from, int to) {
        int numbers = 0;
        int i = from;
        while (i < to) {
            int end = i;
            int value = 0;
            while (end < to && end - i < 3 && octets[end] >= '0' && octets[end] <= '9') {
                value = value * 10 + octets[end] - '0';
                end++;
            }
            boolean number = end > i && value <= 255 && (octets[i] != '0' || end == i + 1);
            if (!number || (end < to && (octets[end] != '.' || end + 1 == to))) {
                return false;
            }
            numbers++;
            i = end + 1;
        }
        return numbers == 4;
    }

    /// Digits, or nothing (RFC 3986 §3.2.3), that are a TCP port.
    private static boolean port(byte[] octets, int from, int to) {
        int value = 0;
        for (int i = from; i < to; i++) {
            if (octets[i] < '0' || octets[i] > '9') {
                return false;
            }
            value = value * 10 + octets[i] - '0';
            if (value > PORT_MAX) {
                return false;
            }
        }
        return true;
    }
}
