package dev.serval.soak.whole;

import java.nio.charset.StandardCharsets;

/// A request and its right answer.
///
/// @param name says what kind it is, for reports
/// @param request its bytes, head and content
/// @param fields a text that the head of the answer must contain; may be empty
/// @param content the right content as `content[from, to)`
/// @param large whether its time counts apart, because it has a long content
record Ask(
        String name,
        byte[] request,
        int status,
        String fields,
        byte[] content,
        int from,
        int to,
        boolean large) {
    /// The longest content whose time counts with the others.
    static final int SMALL_MAX = 64 << 10;

    private static final byte[] NOTHING = new byte[0];

    /// Returns a request with a whole content as its answer.
    static Ask of(String name, byte[] request, int status, byte[] content) {
        boolean large = content.length > SMALL_MAX || request.length > SMALL_MAX;
        return new Ask(name, request, status, "", content, 0, content.length, large);
    }

    /// Returns a GET.
    ///
    /// @param fields lines of the request's head, each with its end
    static Ask get(String name, String path, String fields, int status, byte[] content) {
        return of(name, head("GET", path, fields), status, content);
    }

    /// Returns a GET whose answer has no content.
    static Ask empty(String name, String path, String fields, int status) {
        return get(name, path, fields, status, NOTHING);
    }

    /// Returns a POST with a length.
    static Ask post(String name, String path, byte[] content, byte[] answer) {
        byte[] head = head("POST", path, "Content-Length: " + content.length + "\r\n");
        byte[] request = new byte[head.length + content.length];
        System.arraycopy(head, 0, request, 0, head.length);
        System.arraycopy(content, 0, request, head.length, content.length);
        return of(name, request, 200, answer);
    }

    /// Returns this with a part of the content as the right answer.
    Ask part(int first, int end) {
        boolean longPart = end - first > SMALL_MAX;
        return new Ask(name, request, status, fields, content, first, end, longPart);
    }

    /// Returns this with a text that the head of the answer must contain.
    Ask with(String text) {
        return new Ask(name, request, status, text, content, from, to, large);
    }

    int length() {
        return to - from;
    }

    private static byte[] head(String method, String path, String fields) {
        String head = method + " " + path + " HTTP/1.1\r\nHost: soak.test\r\n" + fields + "\r\n";
        return head.getBytes(StandardCharsets.US_ASCII);
    }
}
