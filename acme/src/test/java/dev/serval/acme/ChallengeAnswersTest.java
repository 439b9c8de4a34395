package dev.serval.acme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.ListenerSpec;
import dev.serval.Serval;
import dev.serval.handler.Handler;
import dev.serval.route.RouteTable;
import dev.serval.route.Router;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests what an authority gets by HTTP (RFC 8555 §8.3).
@Timeout(60)
final class ChallengeAnswersTest {
    private static final String AT = "/.well-known/acme-challenge/";

    private final CertificateFolder folder;
    private final Serval serval;

    ChallengeAnswersTest(@TempDir Path path) throws IOException {
        folder = CertificateFolder.open(path, URI.create("https://acme.example/dir"));
        folder.saveAnswer("tok-en_1", "tok-en_1.print");
        folder.saveAccount("secret");
        serval =
                Serval.builder()
                        .listen(
                                new ListenerSpec(
                                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
                        .around(next -> new ChallengeAnswers(folder, next))
                        .otherwise(x -> x.text("mount"))
                        .start();
    }

    @AfterEach
    void end() {
        serval.close();
    }

    private RawResponse get(String target) {
        return RawClient.get(serval.addresses().getFirst(), target);
    }

    @Test
    void answersAToken() {
        RawResponse answer = get(AT + "tok-en_1");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo("tok-en_1.print");
        assertThat(answer.field("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void takesTheMethodsAndTunnelsOfTheNextHandler() {
        Handler next = Handler.ofConnect(new Router(RouteTable.builder().build()), "websocket");
        Handler answers = new ChallengeAnswers(folder, next);
        assertThat(answers.connectProtocols()).containsExactly("websocket");
        assertThat(answers.takesTrace()).isTrue();
        assertThat(answers.takesOtherMethods()).isTrue();
    }

    @Test
    void answersHead() {
        try (RawClient client = RawClient.connect(serval.addresses().getFirst())) {
            RawResponse answer =
                    client.send("HEAD " + AT + "tok-en_1 HTTP/1.1\r\nHost: a\r\n\r\n")
                            .answer("HEAD");
            assertThat(answer.field("Content-Length")).isEqualTo("14");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/.well-known/acme-challenge",
                AT,
                AT + "unknown",
                AT + "../account.pem",
                AT + "tok-en_1/",
                "/x" + AT + "tok-en_1",
            })
    void mountsHaveEverythingElse(String target) {
        assertThat(get(target).text()).isEqualTo("mount");
    }

    /// A longer name could not be that of a file.
    @Test
    void tokensHaveALimit() throws IOException {
        String longest = "a".repeat(128);
        folder.saveAnswer(longest, "longest");
        assertThat(get(AT + longest).text()).isEqualTo("longest");
        assertThat(get(AT + longest + "a").text()).isEqualTo("mount");
    }

    @Test
    void postIsForTheMounts() {
        try (RawClient client = RawClient.connect(serval.addresses().getFirst())) {
            assertThat(
                            client.exchange(
                                            "POST "
                                                    + AT
                                                    + "tok-en_1 HTTP/1.1\r\nHost: a\r\n"
                                                    + "Content-Length: 0\r\n\r\n")
                                    .text())
                    .isEqualTo("mount");
        }
    }
}
