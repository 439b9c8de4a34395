package dev.serval.soak.flood;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// What a client says on a connection of [IdleTls].
interface IdleClient {
    /// Says what comes before the connection is idle.
    void begin(GoodClient.Page page) throws IOException;

    /// Asks for a page after the connection was idle, and checks its answer.
    void askAgain(GoodClient.Page page) throws IOException;

    /// A client of HTTP/1.1 that has had an answer.
    record Answered(TlsSocket socket) implements IdleClient {
        @Override
        public void begin(GoodClient.Page page) throws IOException {
            askAgain(page);
        }

        @Override
        public void askAgain(GoodClient.Page page) throws IOException {
            String request = "GET " + page.path() + " HTTP/1.1\r\nHost: idle\r\n\r\n";
            socket.send(request.getBytes(StandardCharsets.US_ASCII));
            StringBuilder answer = new StringBuilder();
            int end = -1;
            while (end < 0 || answer.length() < end + page.content().length) {
                answer.append(new String(socket.receive(), StandardCharsets.ISO_8859_1));
                int head = answer.indexOf("\r\n\r\n");
                end = head < 0 ? -1 : head + 4;
            }
            String content = new String(page.content(), StandardCharsets.ISO_8859_1);
            if (!answer.substring(0, 12).equals("HTTP/1.1 200")
                    || !answer.substring(end).equals(content)) {
                throw new IOException("wrong answer: " + answer.substring(0, end));
            }
        }
    }
}
