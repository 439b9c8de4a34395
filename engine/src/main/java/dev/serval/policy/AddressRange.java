package dev.serval.policy;

import java.net.InetAddress;
import java.util.List;

/// A range of internet addresses, such as 10.0.0.0/8. Immutable.
///
/// @param base an address of the range
/// @param bits how many of its first bits all addresses share
public record AddressRange(InetAddress base, int bits) {
    /// Checks the number of bits.
    public AddressRange {
        int most = base.getAddress().length * Byte.SIZE;
        if (bits < 0 || bits > most) {
            throw new IllegalArgumentException(
                    "A range of " + base.getHostAddress() + " has from 0 to " + most + " bits");
        }
    }

    /// Returns the range that `text` describes: an address such as 10.0.0.5, or one with the number of
    /// bits, such as 10.0.0.0/8 or fd00::/8.
    ///
    /// @throws IllegalArgumentException if it is neither
    public static AddressRange of(String text) {
        int slash = text.indexOf('/');
        try {
            String address = slash < 0 ? text : text.substring(0, slash);
            InetAddress base = InetAddress.ofLiteral(address);
            // The JDK takes 10.0.1 for 10.0.0.1, but who writes that means a range.
            if (address.indexOf(':') < 0 && address.chars().filter(c -> c == '.').count() != 3) {
                throw new IllegalArgumentException("An IPv4 address has four numbers");
            }
            int most = base.getAddress().length * Byte.SIZE;
            return new AddressRange(
                    base, slash < 0 ? most : Integer.parseInt(text.substring(slash + 1)));
        } catch (IllegalArgumentException e) { // also of parseInt and the constructor
            throw new IllegalArgumentException(
                    "\""
                            + text
                            + "\" is no address such as 10.0.0.5 and no range such as 10.0.0.0/8 or"
                            + " fd00::/8",
                    e);
        }
    }

    /// Returns whether one of `ranges` contains the address.
    public static boolean contain(List<AddressRange> ranges, InetAddress address) {
        for (int i = 0; i < ranges.size(); i++) {
            if (ranges.get(i).contains(address)) {
                return true;
            }
        }
        return false;
    }

    /// Returns the range for people, such as `10.0.0.0/8`; an address alone without its bits.
    public String text() {
        String host = base.getHostAddress();
        return bits == base.getAddress().length * Byte.SIZE ? host : host + "/" + bits;
    }

    /// Returns whether the address is in the range.
    public boolean contains(InetAddress address) {
        byte[] mine = base.getAddress();
        byte[] other = address.getAddress();
        if (mine.length != other.length) {
            return false;
        }
        for (int i = 0; i < bits; i++) {
            int mask = 0x80 >>> (i % Byte.SIZE);
            if (((mine[i / Byte.SIZE] ^ other[i / Byte.SIZE]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }
}
