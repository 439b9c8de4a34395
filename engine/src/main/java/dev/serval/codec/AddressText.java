package dev.serval.codec;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Writes addresses as text: IPv4 in four decimal numbers, IPv6 as in RFC 5952 §4. Stateless.
public final class AddressText {
    private static final int FOUR_KEPT_BYTES = 3; // of a shortened address: a /24
    private static final int SIX_KEPT_BYTES = 6; // a /48
    private static final int GROUPS = 8;

    private AddressText() {}

    /// Returns the text of an address, without its port; `unix:` for a Unix-domain socket.
    ///
    /// @param shortened whether only the network is named: 24 bits of IPv4, 48 bits of IPv6
    public static byte[] of(SocketAddress address, boolean shortened) {
        if (!(address instanceof InetSocketAddress internet)) {
            return "unix:".getBytes(StandardCharsets.US_ASCII);
        }
        InetAddress ip = internet.getAddress();
        String text = ip == null ? internet.getHostString() : text(ip.getAddress(), shortened);
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String text(byte[] address, boolean shortened) {
        boolean four = address.length == 4;
        if (shortened) {
            Arrays.fill(address, four ? FOUR_KEPT_BYTES : SIX_KEPT_BYTES, address.length, (byte) 0);
        }
        return four ? four(address) : six(address);
    }

    private static String four(byte[] address) {
        StringBuilder text = new StringBuilder(15);
        for (byte b : address) {
            text.append(text.isEmpty() ? "" : ".").append(b & 0xff);
        }
        return text.toString();
    }

    /// Writes the longest run of at least two groups of zeros as `::`, and the first one if two are
    /// equally long (RFC 5952 §4.2).
    private static String six(byte[] address) {
        int gap = GROUPS;
        int gapLength = 1;
        for (int i = 0; i < GROUPS; i++) {
            int zeros = zeros(address, i);
            if (zeros > gapLength) {
                gap = i;
                gapLength = zeros;
            }
        }
        StringBuilder text = new StringBuilder(39);
        int i = 0;
        while (i < GROUPS) {
            if (i == gap) {
                text.append("::");
                i += gapLength;
            } else {
                boolean first = text.isEmpty() || text.charAt(text.length() - 1) == ':';
                text.append(first ? "" : ":").append(Integer.toHexString(group(address, i)));
                i++;
            }
        }
        return text.toString();
    }

    /// Returns how many groups of zeros begin at `from`.
    private static int zeros(byte[] address, int from) {
        int at = from;
        while (at < GROUPS && group(address, at) == 0) {
            at++;
        }
        return at - from;
    }

    private static int group(byte[] address, int i) {
        return (address[2 * i] & 0xff) << 8 | (address[2 * i + 1] & 0xff);
    }
}
