package dev.serval.lrwp.peer;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The variables of a request: `NAME=VALUE`, each ended by a zero byte. A text without `=` is not a
/// variable. If a name occurs twice, the first value is used. Immutable.
final class Environment {
    private final byte[] bytes;

    Environment(byte[] bytes) {
        this.bytes = bytes;
    }

    /// Returns the value, decoded as UTF-8, or null.
    @Nullable String value(String name) {
        int at = 0;
        while (at < bytes.length) {
            int end = end(at);
            if (matches(name, at, end)) {
                int from = at + name.length() + 1;
                return new String(bytes, from, end - from, StandardCharsets.UTF_8);
            }
            at = end + 1;
        }
        return null;
    }

    /// Returns all variables in their order.
    Map<String, String> all() {
        Map<String, String> all = new LinkedHashMap<>();
        int at = 0;
        while (at < bytes.length) {
            int end = end(at);
            String text = new String(bytes, at, end - at, StandardCharsets.UTF_8);
            int equals = text.indexOf('=');
            if (equals > 0) {
                all.putIfAbsent(text.substring(0, equals), text.substring(equals + 1));
            }
            at = end + 1;
        }
        return Collections.unmodifiableMap(all);
    }

    private int end(int from) {
        int at = from;
        while (at < bytes.length && bytes[at] != 0) {
            at++;
        }
        return at;
    }

    private boolean matches(String name, int from, int end) {
        int length = name.length();
        if (end - from <= length || bytes[from + length] != '=') {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (bytes[from + i] != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
