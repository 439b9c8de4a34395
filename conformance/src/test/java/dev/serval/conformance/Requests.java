package dev.serval.conformance;

/// Requests the tests send again and again.
final class Requests {
    private Requests() {}

    /// GET with Host.
    static String get(String target) {
        return get(target, "");
    }

    /// GET with Host and more fields, each ended by CR LF.
    static String get(String target, String fields) {
        return "GET " + target + " HTTP/1.1\r\nHost: example.test\r\n" + fields + "\r\n";
    }

    /// The head of a POST whose content has that length.
    static String post(String target, long length) {
        return "POST "
                + target
                + " HTTP/1.1\r\nHost: example.test\r\nContent-Length: "
                + length
                + "\r\n\r\n";
    }
}
