package dev.serval.gateway.proxy;

import dev.serval.codec.ByteRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A field of requests that the mount sets or removes. Immutable.
///
/// @param name of the field. The client's fields of this name are not forwarded
/// @param value a text in which variables may stand: `$client`, `$host`, `$scheme`, `$uri`, `$user`,
///     and `$$` for a dollar sign; null to remove the field
public record FieldSetting(String name, @Nullable String value) {
    /// Fields that the proxy writes itself, or that concern only a connection.
    private static final Set<String> REFUSED =
            Set.of(
                    "connection",
                    "content-length",
                    "expect",
                    "host",
                    "http2-settings",
                    "keep-alive",
                    "max-forwards",
                    "proxy",
                    "proxy-authenticate",
                    "proxy-authorization",
                    "proxy-connection",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade",
                    "via");

    /// A part of a value.
    sealed interface Part {}

    /// A fixed text.
    record Text(String text) implements Part {}

    /// What differs from request to request.
    enum Variable implements Part {
        /// The address of the client, or `unknown` at a Unix-domain socket.
        CLIENT,
        /// The host that the client named, with its port if it named one.
        HOST,
        /// `http` or `https`, as the client's connection is.
        SCHEME,
        /// The path and query, as the client has encoded them.
        URI,
        /// The name of the user who has logged in at the mount, in UTF-8. Without one, the field is
        /// not sent.
        USER;

        private final String text = "$" + name().toLowerCase(Locale.ROOT);
    }

    /// Checks name and value.
    public FieldSetting {
        boolean token = !name.isEmpty();
        for (int i = 0; i < name.length(); i++) {
            token &= name.charAt(i) < 0x80 && ByteRules.token(name.charAt(i));
        }
        if (!token) {
            throw new IllegalArgumentException(
                    "The name of a field is a token (RFC 9110 §5.6.2), such as X-Real-IP, not \""
                            + name
                            + "\"");
        }
        if (REFUSED.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(
                    "The field "
                            + name
                            + " cannot be set or removed, because the proxy writes it itself"
                            + (name.equalsIgnoreCase("host") ? ": there is a setting host" : ""));
        }
        if (value != null) {
            List<Part> _ = parts(value);
        }
    }

    /// Returns the parts of the value; none to remove the field.
    List<Part> parts() {
        return value == null ? List.of() : parts(value);
    }

    private static List<Part> parts(String value) {
        if (!value.matches("[!-~]([ -~]*[!-~])?")) {
            throw new IllegalArgumentException(
                    "The value of a field is visible ASCII without space at its ends, not \""
                            + value
                            + "\"");
        }
        List<Part> parts = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        int at = 0;
        while (at < value.length()) {
            char c = value.charAt(at);
            if (c != '$') {
                text.append(c);
                at++;
            } else if (value.startsWith("$$", at)) {
                text.append('$');
                at += 2;
            } else {
                Variable found = variable(value, at);
                add(parts, text);
                parts.add(found);
                at += found.text.length();
            }
        }
        add(parts, text);
        return parts;
    }

    private static void add(List<Part> parts, StringBuilder text) {
        if (!text.isEmpty()) {
            parts.add(new Text(text.toString()));
            text.setLength(0);
        }
    }

    private static Variable variable(String value, int at) {
        for (Variable one : Variable.values()) {
            int end = at + one.text.length();
            boolean ends = end >= value.length() || !Character.isLetterOrDigit(value.charAt(end));
            if (value.startsWith(one.text, at) && ends) {
                return one;
            }
        }
        throw new IllegalArgumentException(
                "The value \""
                        + value
                        + "\" has a variable that does not exist: possible are $client, $host,"
                        + " $scheme, $uri and $user, and $$ for a dollar sign");
    }
}
