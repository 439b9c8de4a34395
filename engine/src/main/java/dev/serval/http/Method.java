package dev.serval.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A request method that Serval recognises: those of RFC 9110 §9.3 and PATCH (RFC 5789). Anything
/// else is answered 501 before a handler sees it. Immutable.
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
    PATCH(false, false);

    private static final Method[] ALL = values();

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

    /// The method whose name is exactly `bytes[from, to)`, letters compared as they are (§9.1), or
    /// null where it is not one of ours.
    public static @Nullable Method of(byte[] bytes, int from, int to) {
        for (Method method : ALL) {
            byte[] name = method.bytes;
            if (name.length == to - from
                    && name[0] == bytes[from]
                    && Arrays.equals(name, 0, name.length, bytes, from, to)) {
                return method;
            }
        }
        return null;
    }
}
