package dev.serval.soak.whole;

/// What an upstream does wrong, in place of an answer.
enum Misdeed {
    /// It closes before the first byte.
    CLOSE(""),
    /// It resets the connection.
    RESET(""),
    /// It closes in the middle of its head.
    HALF_HEAD("HTTP/1.1 200 OK\r\nContent-Le"),
    /// It sends fewer bytes than it promised.
    SHORT("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nfewer"),
    /// It ends in the middle of a long answer, whose head the client has by then.
    LONG_SHORT("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + "a".repeat(300_000)),
    /// It sends a chunk whose length is no number.
    BAD_CHUNK("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n"),
    /// It closes before the last chunk.
    NO_LAST_CHUNK("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"),
    /// It sends no HTTP.
    GARBAGE("\0\1\2 not HTTP\r\n\r\n"),
    /// It contradicts itself about the length.
    TWO_LENGTHS("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"),
    /// It sends a line that ends a field too early.
    BARE_CR("HTTP/1.1 200 OK\r\nX-A: a\rb\r\nContent-Length: 0\r\n\r\n"),
    /// Its head is far too long.
    HUGE_HEAD("HTTP/1.1 200 OK\r\nX-Long: " + "a".repeat(200_000) + "\r\n\r\n"),
    /// It says nothing.
    SILENT("");

    private final String text;

    Misdeed(String text) {
        this.text = text;
    }

    /// Returns what it sends before it closes, in ISO-8859-1.
    String text() {
        return text;
    }
}
