package dev.serval.bench.load;

import dev.serval.bench.peer.Site;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.util.Optional;

/// Compares one answer with the file, byte by byte, before a peer is measured: a fast server that
/// sends something else is not fast.
final class AnswerCheck {
    private static final int TIMEOUT_MILLIS = 10_000;

    private AnswerCheck() {}

    /// What is wrong with the peer's answer; empty where nothing is.
    static Optional<String> fault(Client.Target target) throws IOException {
        Site.Page page = target.page();
        URI uri = URI.create("http://127.0.0.1:" + target.port() + page.path());
        HttpURLConnection connection =
                (HttpURLConnection) uri.toURL().openConnection(Proxy.NO_PROXY);
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        connection.setInstanceFollowRedirects(false);
        try {
            int status = connection.getResponseCode();
            if (status != 200) {
                return Optional.of("answers " + status);
            }
            try (InputStream in = connection.getInputStream()) {
                return compare(in.readAllBytes(), page);
            }
        } finally {
            connection.disconnect();
        }
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
