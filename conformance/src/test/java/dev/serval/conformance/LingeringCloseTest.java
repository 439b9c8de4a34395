package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.policy.Limits;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import org.junit.jupiter.api.Test;

/// Checks that a refused client can read the answer while it is still sending (RFC 9112 §9.6).
class LingeringCloseTest {
    private static final int LARGE = 8 << 20;

    @Test
    void clientThatSendsTooMuchContentReadsTheAnswer() {
        assertAnswered(Requests.post("/echo", LARGE), 413);
    }

    @Test
    void clientThatSendsTooMuchChunkedContentReadsTheAnswer() {
        String head = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
        assertAnswered(head + Integer.toHexString(LARGE) + "\r\n", 413);
    }

    @Test
    void clientWithRefusedHeadReadsTheAnswer() {
        assertAnswered("POST /echo HTTP/1.1\r\nContent-Length: " + LARGE + "\r\n\r\n", 400);
    }

    @Test
    void clientOfAHandlerThatIgnoresContentReadsTheAnswer() {
        assertAnswered(Requests.post("/ignore", LARGE), 413);
    }

    @Test
    void clientWithEndlessHeadReadsTheAnswer() {
        assertAnswered("GET / HTTP/1.1\r\nHost: a\r\nX: ", 431);
    }

    private static void assertAnswered(String beginning, int status) {
        Limits limits = Limits.DEFAULT.with(draft -> draft.content.maxBytes = 64 << 10);
        try (Served server =
                        Served.with(b ->
                                b.limits(limits)
                                        .mount("/echo", Answers::echo)
                                        .mount("/ignore", Answers::ignore));
                RawClient client = server.connect()) {
            client.send(beginning).send("a".repeat(LARGE));
            RawResponse response = client.answer();
            assertThat(response.status()).isEqualTo(status);
            assertThat(response.announcesClose()).isTrue();
            client.expectClosed();
        }
    }
}
