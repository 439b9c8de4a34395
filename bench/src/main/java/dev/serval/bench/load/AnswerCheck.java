package dev.serval.bench.load;

import dev.serval.bench.client.HttpConnection;
import dev.serval.bench.peer.Site;
import dev.serval.bench.servlet.Browser;
import java.io.IOException;
import java.util.Optional;

/// Compares one answer with the file or the servlet's answer, byte by byte, before a peer is measured. The speed of a
/// server that sends wrong content means nothing.
final class AnswerCheck {
    private static final int TIMEOUT_MILLIS = 10_000;

    private AnswerCheck() {}

    /// Returns what is wrong with the peer's answer, or empty if it is right.
    static Optional<String> fault(Client.Target target) throws IOException {
        if (target.request() != null) {
            try (Browser browser = new Browser(target.port(), target.request())) {
                return browser.fault();
            }
        }
        HttpConnection.Answer answer =
                HttpConnection.get(target.port(), target.page().path(), TIMEOUT_MILLIS);
        return answer.status() == 200
                ? compare(answer.content(), target.page())
                : Optional.of("answers " + answer.status());
    }

    private static Optional<String> compare(byte[] content, Site.Page page) {
        if (content.length != page.length()) {
            return Optional.of("sends " + content.length + " bytes, not " + page.length());
        }
        if (!Site.digest(content).equals(page.digest())) {
            return Optional.of("sends other content than the file's");
        }
        return Optional.empty();
    }
}
