package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Folder;
import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.TempTree;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Checks that slow clients and slow applications do not starve others. On a server with one loop,
/// other clients get answers while the slow ones hang.
class StarvationTest {
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final AtomicInteger waiting = new AtomicInteger();
    private final CountDownLatch latch = new CountDownLatch(1);
    private final List<RawClient> slow = new ArrayList<>();
    private final TempTree tree = TempTree.create();
    private final Served server = start();

    @BeforeEach
    void files() {
        tree.file("small.txt", "small");
        tree.file("cold.txt", "cold");
        tree.file("large.bin", 4 << 20);
    }

    @AfterEach
    void stop() {
        latch.countDown();
        slow.forEach(RawClient::close);
        server.close();
        tree.close();
    }

    @Test
    void answersOthersDespiteFourHundredIncompletePosts() {
        for (int i = 0; i < 400; i++) {
            slow.add(server.connect().send(Requests.post("/echo", 1000) + "half"));
        }
        assertOthersAnswered();
        slow.getFirst().send("x".repeat(996));
        assertThat(slow.getFirst().answer().body()).hasSize(1000);
    }

    @Test
    void answersOthersDespiteFourHundredIncompleteHeads() {
        for (int i = 0; i < 400; i++) {
            slow.add(server.connect().send("GET /small.txt HTTP/1.1\r\nHost: a"));
        }
        assertOthersAnswered();
        assertThat(slow.getLast().send("\r\n\r\n").answer().text()).isEqualTo("small");
    }

    @Test
    void answersOthersDespite220UnreadResponses() {
        for (int i = 0; i < 220; i++) {
            slow.add(RawClient.connect(server.address(), 4096).send(Requests.get("/large.bin")));
        }
        assertOthersAnswered();
        RawResponse whole = slow.getFirst().answer();
        assertThat(whole.body()).isEqualTo(TempTree.content("large.bin", 4 << 20));
    }

    @Test
    void answersOthersDespiteFourHundredSleepingRequests() {
        for (int i = 0; i < 400; i++) {
            slow.add(server.connect().send(Requests.get("/held")));
        }
        Await.until("some of them sleep", () -> waiting.get() >= 16);
        assertOthersAnswered();
        latch.countDown();
        for (RawClient client : slow) {
            assertThat(client.answer().text()).isEqualTo("through");
        }
    }

    private void assertOthersAnswered() {
        for (int i = 0; i < 20; i++) {
            try (RawClient other = server.connect()) {
                assertThat(other.exchange(Requests.get("/small.txt")).text()).isEqualTo("small");
                assertThat(other.exchange(Requests.get("/text")).text()).isEqualTo("text");
            }
        }
        try (RawClient other = server.connect()) {
            assertThat(other.exchange(Requests.get("/cold.txt")).text()).isEqualTo("cold");
        }
    }

    private Served start() {
        // The slow ones hang for as long as the others take, also on a slow machine.
        Limits limits =
                Limits.DEFAULT.with(draft -> {
                    draft.pace.graceNanos = MINUTE;
                    draft.workers.startNanos = MINUTE;
                });
        return Served.with(b ->
                b.limits(limits)
                        .mount("/", Folder.of(tree.root()))
                        .mount("/text", x -> Answers.text(x, "text"))
                        .mount("/echo", Answers::echo)
                        .mount("/held", Answers.held(waiting, latch)));
    }
}
