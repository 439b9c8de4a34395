package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Folder;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.policy.Counter;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.TempTree;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Checks that a client that disconnects at any stage costs only its connection.
class AbortsTest {
    private final AtomicInteger began = new AtomicInteger();
    private final AtomicInteger aborted = new AtomicInteger();
    private final TempTree tree = TempTree.create();
    private final Served server =
            Served.with(b ->
                    b.mount("/", Folder.of(tree.root()))
                            .mount("/echo", Answers::echo)
                            .mount("/stream", Answers::stream)
                            .mount("/waits", this::waits)
                            .mount("/endless", this::endless));

    @BeforeEach
    void files() {
        tree.file("small.txt", "small");
        tree.file("large.bin", 8 << 20);
    }

    @AfterEach
    void stop() {
        try (RawClient other = server.connect()) {
            assertThat(other.exchange(Requests.get("/small.txt")).text()).isEqualTo("small");
        }
        server.close();
        tree.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "G",
                "GET /small.txt HTTP/1.1\r\nHo",
                "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345",
                "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12",
                "POST /stream HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345",
                "POST /small.txt HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345",
                "GET /waits HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /endless HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /large.bin HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /large.bin HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                "GET / HTTP/2.0\r\n\r\n"
            })
    void resetAfterTheseBytesCostsOnlyTheConnection(String sent) {
        for (int i = 0; i < 20; i++) {
            RawClient client = RawClient.connect(server.address(), 4096);
            client.send(sent);
            client.reset();
        }
        // The kernel may drop a connection that is reset before it is accepted. All that were
        // accepted before one more connection are counted in any case.
        try (RawClient last = server.connect()) {
            assertThat(last.exchange(Requests.get("/small.txt")).text()).isEqualTo("small");
        }
        Await.until(
                "all are gone",
                () ->
                        server.count(Counter.CONNECTIONS_ACCEPTED)
                                == server.count(Counter.CONNECTIONS_CLOSED));
    }

    @Test
    void abortRunsOnceAfterTheClientIsGone() {
        RawClient client = server.connect().send(Requests.get("/waits"));
        Await.until("the handler waits", () -> began.get() == 1);
        client.reset();
        Await.until("the abort has run", () -> aborted.get() == 1);
        Await.until(
                "the connection is closed", () -> server.count(Counter.CONNECTIONS_CLOSED) == 1);
        assertThat(aborted).hasValue(1);
        assertThat(server.count(Counter.PEERS_GONE)).isEqualTo(1);
    }

    @Test
    void abortRunsAfterAResetDuringWrites() {
        RawClient client = RawClient.connect(server.address(), 4096);
        client.send(Requests.get("/endless"));
        client.until("\r\n\r\n");
        client.reset();
        Await.until("the abort has run", () -> aborted.get() == 1);
    }

    @Test
    void resetDuringALargeFileReleasesTheFile() {
        for (int i = 0; i < 50; i++) {
            RawClient client = RawClient.connect(server.address(), 4096);
            client.send(Requests.get("/large.bin"));
            client.until("\r\n\r\n");
            client.reset();
        }
        Await.until("all are gone", () -> server.count(Counter.CONNECTIONS_CLOSED) == 50);
    }

    private void waits(Exchange x) {
        x.onAbort(aborted::incrementAndGet);
        began.incrementAndGet();
    }

    private void endless(Exchange x) {
        x.onAbort(aborted::incrementAndGet);
        x.response().head(Answers.head(Status.OK, ResponseHead.UNKNOWN_LENGTH, Fields.EMPTY));
        fill(x);
    }

    private static void fill(Exchange x) {
        ByteBuffer zeros = ByteBuffer.allocate(1 << 14);
        while (x.response().write(new Body.Bytes(zeros, null)) > 0) {}
        x.response().onWritable(() -> fill(x));
    }
}
