package dev.serval.policy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;

/// The proxies that are believed when they tell, in fields of a request, who their client is and how
/// it addressed them. Each of them must set or remove all fields that are read, because a proxy that
/// passes on a field of its client lets the client choose its value. Immutable.
///
/// @param ranges the addresses of the proxies
/// @param unixDomain whether peers at a Unix-domain socket are such proxies too
/// @param convention which fields are read
public record TrustedProxies(List<AddressRange> ranges, boolean unixDomain, Convention convention) {
    /// The fields by which proxies tell of their client.
    public enum Convention {
        /// `X-Forwarded-*` if the request has one of them, and otherwise `Forwarded`.
        EITHER,
        /// `X-Forwarded-For`, `-Proto`, `-Host` and `-Port`.
        X_FORWARDED,
        /// `Forwarded` (RFC 7239).
        FORWARDED
    }

    /// Copies the list.
    public TrustedProxies {
        ranges = List.copyOf(ranges);
    }

    /// Trusts the proxies in these ranges, by either convention.
    public TrustedProxies(List<AddressRange> ranges) {
        this(ranges, false, Convention.EITHER);
    }

    /// Returns a copy that also trusts, or does not trust, peers at Unix-domain sockets.
    public TrustedProxies withUnixDomain(boolean trusted) {
        return new TrustedProxies(ranges, trusted, convention);
    }

    /// Returns a copy that reads other fields.
    public TrustedProxies withConvention(Convention other) {
        return new TrustedProxies(ranges, unixDomain, other);
    }

    /// Returns whether the peer of a connection is a trusted proxy.
    public boolean trusts(SocketAddress peer) {
        return peer instanceof InetSocketAddress inet ? trusts(inet.getAddress()) : unixDomain;
    }

    /// Returns whether the address is that of a trusted proxy.
    public boolean trusts(InetAddress address) {
        return AddressRange.contain(ranges, address);
    }
}
