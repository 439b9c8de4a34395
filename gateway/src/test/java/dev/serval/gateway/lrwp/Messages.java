package dev.serval.gateway.lrwp;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// Requests and answers of LRWP as a peer sees them, computed apart from the code under test.
final class Messages {
    private Messages() {}

    /// A request as a peer receives it.
    record Request(Map<String, String> variables, String body, int bytes) {
        String path() {
            return variables.getOrDefault("PATH_INFO", "");
        }
    }

    /// Reads one request at the start of `text`, and checks its form.
    static Request request(String text) {
        int named = length(text, 0);
        String environment = text.substring(9, 9 + named);
        if (!environment.endsWith("\0\0")) {
            throw new AssertionError("The environment must end with two NULs: " + environment);
        }
        Map<String, String> variables = new LinkedHashMap<>();
        for (String one : environment.substring(0, named - 2).split("\0", -1)) {
            int equals = one.indexOf('=');
            String name = one.substring(0, equals);
            if (!name.equals(name.toUpperCase(Locale.ROOT))) {
                throw new AssertionError("A name must be in upper case: " + name);
            }
            if (variables.put(name, one.substring(equals + 1)) != null) {
                throw new AssertionError("A name must come once: " + name);
            }
        }
        int bodyAt = 18 + named;
        int body = length(text, 9 + named);
        return new Request(variables, text.substring(bodyAt, bodyAt + body), bodyAt + body);
    }

    /// Returns whether `text` begins with a whole request.
    static boolean hasRequest(String text) {
        if (text.length() < 18) {
            return false;
        }
        int named = length(text, 0);
        return text.length() >= 18 + named && text.length() >= 18 + named + length(text, 9 + named);
    }

    /// Returns an answer with its length before it.
    static String answer(String output) {
        return "%09d".formatted(output.length()) + output;
    }

    /// Returns an answer of type text/plain.
    static String plain(String content) {
        return answer("Content-Type: text/plain\r\n\r\n" + content);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static int length(String text, int at) {
        String digits = text.substring(at, at + 9);
        if (!digits.matches("[0-9]{9}")) {
            throw new AssertionError("Not nine digits: " + digits);
        }
        return Integer.parseInt(digits);
    }
}
