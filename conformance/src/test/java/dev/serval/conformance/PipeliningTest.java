package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.RawClient;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Sends many requests on one connection before it reads any answer (RFC 9112 §9.3.2).
class PipeliningTest {
    private static final int UNREAD_MAX = 64 << 20;

    @Test
    void answersOneHundredRequestsInOneWriteInOrder() {
        assertAnsweredInOrder(100);
    }

    @Test
    void answersFiveThousandRequestsInOneWriteInOrder() {
        assertAnsweredInOrder(5000);
    }

    /// If the client reads no answers, the server stops reading requests, and later continues at
    /// the same point.
    @Test
    void stopsReadingIfTheClientReadsNoAnswers() {
        String body = "x".repeat(10_000);
        String padding = "X: " + "p".repeat(8000) + "\r\n"; // kernels buffer megabytes of requests
        byte[] request = Requests.get("/", padding).getBytes(StandardCharsets.ISO_8859_1);
        try (Served server = Served.with(b -> b.mount("/", x -> Answers.text(x, body)));
                RawClient client = RawClient.connect(server.address(), 8192)) {
            int sent = 0;
            int refused = 0;
            byte[] rest = new byte[0];
            while (refused < 1000 && sent < UNREAD_MAX) {
                byte[] now = rest.length > 0 ? rest : request;
                int taken = client.offer(now);
                refused = taken == 0 ? refused + 1 : 0;
                sent += taken;
                rest = Arrays.copyOfRange(now, taken, now.length);
                Thread.onSpinWait();
            }
            assertThat(sent).isLessThan(UNREAD_MAX);
            client.send(rest);
            int requests = (sent + rest.length) / request.length;
            for (int i = 0; i < requests; i++) {
                assertThat(client.answer().body()).hasSize(body.length());
            }
        }
    }

    private static void assertAnsweredInOrder(int count) {
        try (Served server = Served.with(b -> b.mount("/", Answers::target));
                RawClient client = server.connect()) {
            StringBuilder requests = new StringBuilder();
            for (int i = 0; i < count; i++) {
                requests.append(Requests.get("/?" + i));
            }
            client.send(requests.toString());
            for (int i = 0; i < count; i++) {
                assertThat(client.answer().text()).contains(" query=" + i + " ");
            }
        }
    }
}
