package dev.serval.http;

import dev.serval.codec.ByteRules;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/// A request method: those of RFC 9110 §9.3, PATCH (RFC 5789), or [#OTHER]. Immutable.
@SuppressWarnings("ImmutableEnumChecker") // the byte array never leaves this class
public enum Method {
    /// Transfers the target's current representation (§9.3.1).
    GET(true, true),
    /// Transfers what GET would, but only the head (§9.3.2).
    HEAD(true, true),
    /// Lets the target process the content (§9.3.3).
    POST(false, false),
    /// Replaces the target's representation (§9.3.4).
    PUT(false, true),
    /// Removes the target's representations (§9.3.5).
    DELETE(false, true),
    /// Opens a tunnel (§9.3.6).
    CONNECT(false, false),
    /// Requests the communication options (§9.3.7).
    OPTIONS(true, true),
    /// Performs a loop-back test (§9.3.8).
    TRACE(true, true),
    /// Changes part of the target's representation (RFC 5789).
    PATCH(false, false),
    /// Any other token (§9.1), which [RequestHead#methodText] returns. It counts as neither safe
    /// nor idempotent. A handler receives it only if it takes other methods; if none does, the
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

    /// Returns whether the method is read-only by definition (§9.2.1).
    public boolean safe() {
        return safe;
    }

    /// Returns whether a repeated request has the same effect as a single one (§9.2.2).
    public boolean idempotent() {
        return idempotent;
    }

    /// Returns the method whose name is exactly `bytes[from, to)`; names are case-sensitive (§9.1).
    /// Returns [#OTHER] for any other token, and null if the bytes are not a token.
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
