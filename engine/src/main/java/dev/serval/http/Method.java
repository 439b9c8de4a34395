package dev.serval.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/// A request method: those of RFC 9110 §9.3, PATCH (RFC 5789), or [#OTHER]. Immutable.
@SuppressWarnings("ImmutableEnumChecker") // the bytes are never handed out
public enum Method {
    /// Transfer the target's current representation (§9.3.1).
    GET(true, true),
    /// As GET, the head alone (§9.3.2).
    HEAD(true, true),
    /// Let the target process the content (§9.3.3).
    POST(false, false),
    /// Replace the target's representation (§9.3.4).
    PUT(false, true),
    /// Remove the target's representations (§9.3.5).
    DELETE(false, true),
    /// Open a tunnel (§9.3.6).
    CONNECT(false, false),
    /// Ask for the communication options (§9.3.7).
    OPTIONS(true, true),
    /// Loop-back test (§9.3.8).
    TRACE(true, true),
    /// Change part of the target's representation (RFC 5789).
    PATCH(false, false),
    /// Any other token (§9.1): [RequestHead#methodText] tells which. Nothing is promised of it, so it
    /// counts as neither safe nor idempotent. Only handlers that ask for it see it; without one the
    /// answer is 501.
    OTHER(false, false);

    private static final Method[] KNOWN =
            EnumSet.complementOf(EnumSet.of(OTHER)).toArray(Method[]::new);

    private final boolean safe;
    private final boolean idempotent;
    private final byte[] bytes = name().getBytes(StandardCharsets.US_ASCII);

    Method(boolean safe, boolean idempotent) {
        this.safe = safe;
        this.idempotent = idempotent;
    }

    /// Read-only by definition (§9.2.1).
    public boolean safe() {
        return safe;
    }

    /// Repeating it has the effect of one (§9.2.2).
    public boolean idempotent() {
        return idempotent;
    }

    /// The method whose name is exactly `bytes[from, to)`, letters compared as they are (§9.1);
    /// [#OTHER] for a token that names none of ours, null for what is no token.
    public static @Nullable Method of(byte[] bytes, int from, int to) {
        for (Method method : KNOWN) {
            byte[] name = method.bytes;
            if (name.length == to - from
                    && name[0] == bytes[from]
                    && Arrays.equals(name, 0, name.length, bytes, from, to)) {
                return method;
            }
        }
        for (int i = from; i < to; i++) {
            if (!ByteRules.token(bytes[i])) {
                return null;
            }
        }
        return from == to ? null : OTHER;
    }
}
