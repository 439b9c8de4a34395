package dev.serval.conformance;

/// Requests that many tests send.
final class Requests {
    private Requests() {}

    /// Returns a GET with Host.
    static String get(String target) {
        return get(target, "");
    }

    /// Returns a GET with Host and more fields, each of which ends with CR LF.
    static String get(String target, String fields) {
        return "GET " + target + " HTTP/1.1\r\nHost: example.test\r\n" + fields + "\r\n";
    }

    /// Returns the head of a POST with content of that length.
    static String post(String target, long length) {
        return "POST "
                + target
                + " HTTP/1.1\r\nHost: example.test\r\nContent-Length: "
                + length
                + "\r\n\r\n";
    }
}
