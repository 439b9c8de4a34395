package dev.serval.codec;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Names the client that an address belongs to, for limits of each client address. That is an address
/// of IPv4, also if IPv6 contains it (RFC 4291 §2.5.5.2), or the first 64 bits of an address of IPv6,
/// because one client has all addresses that begin so. Stateless.
public final class ClientKey {
    /// No client.
    public static final long NONE = 0;

    private static final long IPV4 = 1L << 32; // addresses that begin so are not in use in IPv6
    private static final long IPV4_BITS = 0xFFFF_FFFFL;
    private static final long MAPPED = 0xFFFFL; // the second half without the address

    private ClientKey() {}

    /// Returns the key of the client; never [#NONE].
    public static long of(InetAddress client) {
        if (client instanceof Inet4Address) {
            return IPV4 | (client.hashCode() & IPV4_BITS); // the JDK's hash is the address
        }
        ByteBuffer address = ByteBuffer.wrap(client.getAddress());
        long prefix = address.getLong();
        long rest = address.getLong();
        if (prefix == 0 && rest >>> 32 == MAPPED) {
            return IPV4 | (rest & IPV4_BITS);
        }
        return prefix == NONE ? 1 : prefix;
    }

    /// Returns the key of the client with the address in `text`, perhaps with a zone after `%`, as a
    /// text. Returns `text` itself if that is no address, such as of a Unix-domain socket.
    public static String text(String text) {
        int zone = text.indexOf('%');
        byte[] bytes =
                (zone < 0 ? text : text.substring(0, zone)).getBytes(StandardCharsets.US_ASCII);
        @Nullable InetAddress address = IpText.address(bytes, 0, bytes.length);
        return address == null ? text : Long.toHexString(of(address));
    }
}
