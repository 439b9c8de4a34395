package dev.serval.bench.servlet;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Sends single requests to a server before it is measured: it compares an answer, byte by byte,
/// and opens sessions. Used by one thread.
public final class Browser implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final HttpClient client =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(TIMEOUT)
                    .build();
    private final int port;
    private final Request request;

    /// Makes a client for this request.
    ///
    /// @param port of the server, on the loopback address
    public Browser(int port, Request request) {
        this.port = port;
        this.request = request;
    }

    /// Returns what is wrong with the server's answer, or empty if it is right.
    public Optional<String> fault() throws IOException {
        return request.session() ? sessionFault() : fault(ask(""), request.expected());
    }

    /// Opens sessions and returns their cookies, as values of the field `Cookie`.
    public List<String> sessions(int count) throws IOException {
        List<String> cookies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            cookies.add(cookie(ask("")));
        }
        return cookies;
    }

    /// Counts to two in a new session. The second answer proves that the first request's value was
    /// kept.
    private Optional<String> sessionFault() throws IOException {
        String cookie = sessions(1).getFirst();
        return fault(ask(cookie), "0000000002".getBytes(StandardCharsets.US_ASCII));
    }

    private static Optional<String> fault(HttpResponse<byte[]> answer, byte[] expected) {
        if (answer.statusCode() != 200) {
            return Optional.of("answers " + answer.statusCode());
        }
        if (answer.body().length != expected.length) {
            return Optional.of("sends " + answer.body().length + " bytes, not " + expected.length);
        }
        return Arrays.equals(answer.body(), expected)
                ? Optional.empty()
                : Optional.of("sends other content than expected");
    }

    private static String cookie(HttpResponse<byte[]> answer) throws IOException {
        String field =
                answer.headers()
                        .firstValue("Set-Cookie")
                        .orElseThrow(() ->
                                new IOException(
                                        "the answer "
                                                + answer.statusCode()
                                                + " has no Set-Cookie"));
        int end = field.indexOf(';');
        return end < 0 ? field : field.substring(0, end);
    }

    private HttpResponse<byte[]> ask(String cookie) throws IOException {
        HttpRequest.BodyPublisher body =
                request.body() == Request.Body.NONE
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofByteArray(request.content());
        HttpRequest.Builder asked =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + request.path()))
                        .timeout(TIMEOUT)
                        .method(request.method(), body);
        if (!request.type().isEmpty()) {
            asked.header("Content-Type", request.type());
        }
        if (request.loggedIn()) {
            asked.header("Authorization", Members.credentials().getFirst());
        }
        if (!cookie.isEmpty()) {
            asked.header("Cookie", cookie);
        }
        try {
            return client.send(asked.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        client.close();
    }
}
