package dev.serval.gateway.lrwp;

import java.net.InetAddress;

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
