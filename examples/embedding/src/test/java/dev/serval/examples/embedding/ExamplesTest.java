package dev.serval.examples.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Serval;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Starts each example and sends requests by the JDK's HTTP client.
@Timeout(60)
final class ExamplesTest {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static HttpRequest.Builder request(Serval server, String target) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + target));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request)
            throws IOException, InterruptedException {
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> get(Serval server, String target)
            throws IOException, InterruptedException {
        return send(request(server, target));
    }

    @Test
    void helloSaysHello() throws Exception {
        try (Serval server = Hello.start(0)) {
            assertThat(get(server, "/hello").body()).isEqualTo("Hello");
            assertThat(get(server, "/hello/any/thing").statusCode()).isEqualTo(404);
            assertThat(send(request(server, "/hello").DELETE()).statusCode()).isEqualTo(405);
        }
    }

    @Test
    void jsonEchoReturnsItsContent() throws Exception {
        try (Serval server = JsonEcho.start(0)) {
            HttpResponse<String> echo =
                    send(request(server, "/echo").POST(BodyPublishers.ofString("{\"a\":\"ä\"}")));
            assertThat(echo.body()).isEqualTo("{\"a\":\"ä\"}");
            assertThat(echo.headers().firstValue("Content-Type")).hasValue("application/json");
        }
    }

    @Test
    void filesAndTimeServesBoth(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("index.html"), "<h1>Index</h1>");
        try (Serval server = FilesAndTime.start(0, folder)) {
            assertThat(get(server, "/").body()).isEqualTo("<h1>Index</h1>");
            assertThat(Instant.parse(get(server, "/time").body())).isNotNull();
        }
    }

    @Test
    void usersStoresReadsAndRemoves() throws Exception {
        try (Serval server = Users.start(0)) {
            assertThat(get(server, "/users/7").body()).isEqualTo("null");
            HttpRequest.BodyPublisher user = BodyPublishers.ofString("{\"name\":\"Ada\"}");
            assertThat(send(request(server, "/users/7").PUT(user)).statusCode()).isEqualTo(200);
            assertThat(get(server, "/users/7").body()).isEqualTo("{\"name\":\"Ada\"}");
            send(request(server, "/users/7").DELETE());
            assertThat(get(server, "/users/7").body()).isEqualTo("null");
            HttpResponse<String> made =
                    send(request(server, "/users").POST(BodyPublishers.noBody()));
            assertThat(made.headers().firstValue("Location")).hasValue("/users/0");
        }
    }

    @Test
    void sumAddsOnTheLoop() throws Exception {
        try (Serval server = Sum.start(0)) {
            assertThat(get(server, "/sum?a=40&b=2").body()).isEqualTo("The sum is 42");
            assertThat(get(server, "/sum?a=x").statusCode()).isEqualTo(400);
        }
    }

    @Test
    void loginSetsACookieAndRedirects() throws Exception {
        try (Serval server = Login.start(0)) {
            assertThat(get(server, "/login").body()).contains("<form");
            HttpResponse<String> login =
                    send(
                            request(server, "/login")
                                    .header("Content-Type", "application/x-www-form-urlencoded")
                                    .POST(BodyPublishers.ofString("user=Ada")));
            assertThat(login.statusCode()).isEqualTo(303);
            String cookie = login.headers().firstValue("Set-Cookie").orElseThrow();
            assertThat(cookie).isEqualTo("user=Ada; Path=/; HttpOnly; SameSite=Lax");
            String pair = cookie.substring(0, cookie.indexOf(';'));
            assertThat(send(request(server, "/").header("Cookie", pair)).body())
                    .isEqualTo("Hello Ada");
        }
    }

    @Test
    void guardRefusesRequestsWithoutTheKey() throws Exception {
        try (Serval server = Guard.start(0, "secret")) {
            assertThat(get(server, "/admin").statusCode()).isEqualTo(401);
            HttpRequest.Builder known = request(server, "/admin").header("Api-Key", "secret");
            assertThat(send(known).body()).isEqualTo("Ok");
        }
    }

    @Test
    void errorsAnswersByExceptionType(@TempDir Path notes) throws Exception {
        Files.writeString(notes.resolve("one"), "A note");
        Files.createDirectory(notes.resolve("folder"));
        try (Serval server = Errors.start(0, notes)) {
            assertThat(get(server, "/notes/one").body()).isEqualTo("A note");
            assertThat(get(server, "/notes/two").body()).isEqualTo("No such note");
            assertThat(get(server, "/notes/folder").statusCode()).isEqualTo(503);
            assertThat(get(server, "/else").body()).isEqualTo("<h1>Nothing here</h1>");
        }
    }

    @Test
    void ticksSendsEventsAsTheyCome() throws Exception {
        BlockingQueue<String> queue = new ArrayBlockingQueue<>(2);
        try (Serval server = Ticks.start(0, queue)) {
            queue.add("one");
            HttpResponse<InputStream> ticks =
                    CLIENT.send(request(server, "/ticks").build(), BodyHandlers.ofInputStream());
            try (InputStream in = ticks.body()) {
                assertThat(text(in, "data: one\n\n")).isEqualTo("data: one\n\n");
                queue.add("two");
                assertThat(text(in, "data: two\n\n")).isEqualTo("data: two\n\n");
            }
        }
    }

    private static String text(InputStream in, String expected) throws IOException {
        return new String(in.readNBytes(expected.length()), StandardCharsets.UTF_8);
    }

    @Test
    void uploadsReturnsTheUploadedFile(@TempDir Path folder) throws Exception {
        byte[] much = new byte[12 << 20];
        much[much.length - 1] = 42;
        try (Serval server = Uploads.start(0, folder)) {
            HttpRequest.Builder put =
                    request(server, "/file").PUT(BodyPublishers.ofByteArray(much));
            assertThat(send(put).body()).isEqualTo("Bytes: " + much.length);
            HttpResponse<byte[]> back =
                    CLIENT.send(request(server, "/file").build(), BodyHandlers.ofByteArray());
            assertThat(back.body()).isEqualTo(much);
            HttpResponse<byte[]> end =
                    CLIENT.send(
                            request(server, "/file").header("Range", "bytes=-1").build(),
                            BodyHandlers.ofByteArray());
            assertThat(end.body()).containsExactly(42);
            HttpRequest.Builder again =
                    request(server, "/file").PUT(BodyPublishers.ofString("shorter"));
            assertThat(send(again).body()).isEqualTo("Bytes: 7");
            assertThat(get(server, "/file").body()).isEqualTo("shorter");
        }
    }
}
