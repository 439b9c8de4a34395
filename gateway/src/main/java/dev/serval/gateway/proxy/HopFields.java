package dev.serval.gateway.proxy;

import dev.serval.codec.ByteRules;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/// Decides which fields of a message concern only one connection and are not forwarded (RFC 9110
/// §7.6.1): the known ones, and those that its Connection field names. The options are read once, so
/// that many of them cost no more than their length. Immutable.
final class HopFields {
    private static final boolean[] HOPS = hops();

    /// Options that name no other field than those that are dropped always.
    private static final String[] USUAL = {
        "close", "keep-alive", "upgrade", "te", "http2-settings"
    };

    /// The fields of a message whose Connection field names no others.
    private static final HopFields KNOWN = new HopFields(Set.of());

    private final Set<String> named; // in lower case

    private HopFields(Set<String> named) {
        this.named = named;
    }

    /// Returns the fields of a connection in trailers, which may not name others.
    static HopFields ofTrailers() {
        return KNOWN;
    }

    /// Returns the fields of a connection in a head.
    static HopFields of(Fields fields) {
        byte[] bytes = fields.buffer();
        Set<String> others = Set.of();
        for (int c = fields.indexOf(FieldName.CONNECTION, 0);
                c >= 0;
                c = fields.indexOf(FieldName.CONNECTION, c + 1)) {
            int end = fields.valueEnd(c);
            for (int at = fields.valueAt(c); at < end; at = next(bytes, at, end) + 1) {
                int from = skip(bytes, at, end);
                int to = memberEnd(bytes, from, end);
                if (!isUsual(bytes, from, to)) {
                    others = others.isEmpty() ? new HashSet<>() : others;
                    others.add(
                            new String(bytes, from, to - from, StandardCharsets.ISO_8859_1)
                                    .toLowerCase(Locale.ROOT));
                }
            }
        }
        return others.isEmpty() ? KNOWN : new HopFields(others);
    }

    private static boolean isUsual(byte[] bytes, int from, int to) {
        for (String usual : USUAL) {
            if (is(bytes, from, to, usual)) {
                return true;
            }
        }
        return from == to;
    }

    /// Returns whether field `i` of the message is not forwarded.
    boolean drops(Fields fields, int i) {
        int id = fields.id(i);
        return (id >= 0 && HOPS[id])
                || (!named.isEmpty() && named.contains(fields.name(i).toLowerCase(Locale.ROOT)));
    }

    /// Returns whether the Connection fields have this member, ignoring case.
    ///
    /// @param first the index of the first Connection field, or -1
    static boolean hasOption(Fields fields, int first, String lowerCase) {
        for (int i = first; i >= 0; i = fields.indexOf(FieldName.CONNECTION, i + 1)) {
            if (hasMember(fields, i, lowerCase)) {
                return true;
            }
        }
        return false;
    }

    /// Returns whether the list in value `i` has this member, ignoring case.
    static boolean hasMember(Fields fields, int i, String lowerCase) {
        byte[] bytes = fields.buffer();
        int end = fields.valueEnd(i);
        for (int at = fields.valueAt(i); at < end; at = next(bytes, at, end) + 1) {
            int from = skip(bytes, at, end);
            if (is(bytes, from, memberEnd(bytes, from, end), lowerCase)) {
                return true;
            }
        }
        return false;
    }

    private static boolean is(byte[] bytes, int from, int to, String lowerCase) {
        if (to - from != lowerCase.length()) {
            return false;
        }
        for (int i = 0; i < lowerCase.length(); i++) {
            if (ByteRules.lower(bytes[from + i]) != lowerCase.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /// Returns the comma after `from`, or the end.
    static int next(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end && bytes[at] != ',') {
            at++;
        }
        return at;
    }

    /// Returns the first byte from `from` on that is no space.
    static int skip(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end && (bytes[at] == ' ' || bytes[at] == '\t')) {
            at++;
        }
        return at;
    }

    /// Returns the end of the list member that begins at `from`, without spaces.
    static int memberEnd(byte[] bytes, int from, int end) {
        int to = next(bytes, from, end);
        while (to > from && (bytes[to - 1] == ' ' || bytes[to - 1] == '\t')) {
            to--;
        }
        return to;
    }

    private static boolean[] hops() {
        boolean[] hops = new boolean[FieldName.count()];
        hops[FieldName.CONNECTION.id()] = true;
        hops[FieldName.KEEP_ALIVE.id()] = true;
        hops[FieldName.PROXY_CONNECTION.id()] = true;
        hops[FieldName.PROXY_AUTHENTICATE.id()] = true;
        hops[FieldName.PROXY_AUTHORIZATION.id()] = true;
        hops[FieldName.TE.id()] = true;
        hops[FieldName.TRANSFER_ENCODING.id()] = true;
        hops[FieldName.UPGRADE.id()] = true;
        hops[FieldName.HTTP2_SETTINGS.id()] = true;
        hops[FieldName.CONTENT_LENGTH.id()] = true; // the encoder writes its own
        return hops;
    }
}
