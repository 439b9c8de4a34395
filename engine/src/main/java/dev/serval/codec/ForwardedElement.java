package dev.serval.codec;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads one element of a `Forwarded` field: pairs of a name and a token or quoted string (RFC 7239
/// §4). Blanks around a semicolon are accepted, because many proxies write them. Used by one thread.
public final class ForwardedElement {
    private @Nullable String client;
    private @Nullable String scheme;
    private @Nullable String host;
    private byte[] text = new byte[0];
    private int at;
    private int to;

    /// Creates a reader.
    public ForwardedElement() {}

    /// Reads an element; what the former one told is forgotten.
    ///
    /// @return whether it follows the grammar, and has no name twice
    public boolean read(byte[] bytes, int from, int end) {
        client = null;
        scheme = null;
        host = null;
        text = bytes;
        at = from;
        to = end;
        while (at < to) {
            skipBlanks();
            if (at < to && text[at] != ';' && !pair()) {
                return false;
            }
            skipBlanks();
            if (at < to && text[at++] != ';') {
                return false;
            }
        }
        return true;
    }

    /// Returns the value of `for`, or null.
    public @Nullable String client() {
        return client;
    }

    /// Returns the value of `proto`, or null.
    public @Nullable String scheme() {
        return scheme;
    }

    /// Returns the value of `host`, or null.
    public @Nullable String host() {
        return host;
    }

    private boolean pair() {
        String name = token().toLowerCase(Locale.ROOT);
        if (name.isEmpty() || at >= to || text[at++] != '=') {
            return false;
        }
        @Nullable String value = at < to && text[at] == '"' ? quoted() : token();
        if (value == null || value.isEmpty()) {
            return false;
        }
        boolean first =
                switch (name) {
                    case "for" -> client == null;
                    case "proto" -> scheme == null;
                    case "host" -> host == null;
                    default -> true;
                };
        switch (name) {
            case "for" -> client = value;
            case "proto" -> scheme = value;
            case "host" -> host = value;
            default -> {}
        }
        return first;
    }

    private String token() {
        int from = at;
        while (at < to && ByteRules.token(text[at])) {
            at++;
        }
        return new String(text, from, at - from, StandardCharsets.ISO_8859_1);
    }

    /// Returns the content of a quoted string (RFC 9110 §5.6.4), or null if it does not end.
    private @Nullable String quoted() {
        StringBuilder value = new StringBuilder();
        for (at++; at < to; at++) {
            int b = text[at] & 0xff;
            if (b == '"') {
                at++;
                return value.toString();
            }
            if (b == '\\' && at + 1 < to) {
                b = text[++at] & 0xff;
            }
            value.append((char) b);
        }
        return null;
    }

    private void skipBlanks() {
        while (at < to && (text[at] == ' ' || text[at] == '\t')) {
            at++;
        }
    }
}
