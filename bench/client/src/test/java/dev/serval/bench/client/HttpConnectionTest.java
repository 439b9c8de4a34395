package dev.serval.bench.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class HttpConnectionTest {
    private static final int PATIENCE_MILLIS = 20_000;

    @Test
    void readsAnswersInOrderHoweverTheyAreCut() throws IOException {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                Step.Send.of("HTTP/1.1 200 OK\r\nContent-Le"),
                                Step.Send.of("ngth: 3\r\n\r\nabcHTTP/1.1 500 Bad\r\n"),
                                Step.Send.of("connection: Close\r\nContent-Length: 0\r\n\r\n"));
                HttpConnection connection = to(peer)) {
            assertThat(connection.head().status()).isEqualTo(200);
            assertThat(connection.content()).asString().isEqualTo("abc");
            AnswerHead second = connection.head();
            assertThat(second.status()).isEqualTo(500);
            assertThat(second.closes()).isTrue();
            assertThat(connection.content()).isEmpty();
            assertThatThrownBy(connection::head).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void readsChunksHoweverTheyAreCut() throws IOException {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                Step.Send.of(
                                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3"),
                                Step.Send.of("\r\nab"),
                                Step.Send.of("c\r"),
                                Step.Send.of(
                                        "\nA\r\n0123456789\r\n0\r\n\r\nHTTP/1.1 204 N\r\n\r\n"));
                HttpConnection connection = to(peer)) {
            assertThat(connection.head().chunked()).isTrue();
            assertThat(connection.content()).asString().isEqualTo("abc0123456789");
            assertThat(connection.head().status()).isEqualTo(204);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x\r\nabc", "3\nabc\r\n", "3\r\nabcd\r\n0\r\n\r\n", "-1\r\n"})
    void wrongChunksAreAnError(String chunks) throws IOException {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                Step.Send.of(
                                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                                + chunks));
                HttpConnection connection = to(peer)) {
            assertThat(connection.head().status()).isEqualTo(200);
            assertThatThrownBy(connection::content).isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void chunksWithoutTheLastAreAnError() throws IOException {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                Step.Send.of(
                                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"));
                HttpConnection connection = to(peer)) {
            assertThat(connection.head().status()).isEqualTo(200);
            assertThatThrownBy(connection::content).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void getReturnsAPage() throws IOException {
        try (ScriptedPeer peer =
                ScriptedPeer.playing(
                        new Step.ReadUntil("\r\n\r\n"),
                        Step.Send.of("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))) {
            HttpConnection.Answer answer =
                    HttpConnection.get(peer.address().getPort(), "/x", PATIENCE_MILLIS);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(new String(answer.content(), StandardCharsets.US_ASCII)).isEqualTo("ok");
            assertThat(peer.received(0)).startsWith("GET /x HTTP/1.1\r\nHost: 127.0.0.1:");
        }
    }

    @Test
    void truncatedContentIsAnError() throws IOException {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                Step.Send.of("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab"));
                HttpConnection connection = to(peer)) {
            assertThat(connection.head().length()).isEqualTo(3);
            assertThatThrownBy(connection::content).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void bytesWithoutAHeadOrALengthAreAnError() throws IOException {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                Step.Send.of("HTTP/1.1 200 OK\r\n\r\nSSH-2.0-x y z\r\n\r\n"));
                HttpConnection connection = to(peer)) {
            assertThat(connection.head().length()).isEqualTo(-1);
            assertThatThrownBy(connection::content).isInstanceOf(ProtocolException.class);
            assertThatThrownBy(connection::head).isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void timeoutDiffersFromAClose() throws IOException {
        CountDownLatch over = new CountDownLatch(1);
        try (ScriptedPeer peer = ScriptedPeer.playing(new Step.Pause(over));
                HttpConnection connection = to(peer)) {
            connection.timeout(1);
            assertThatThrownBy(connection::head).isInstanceOf(SocketTimeoutException.class);
            over.countDown();
        }
    }

    private static HttpConnection to(ScriptedPeer peer) throws IOException {
        return HttpConnection.to(peer.address(), PATIENCE_MILLIS);
    }
}
