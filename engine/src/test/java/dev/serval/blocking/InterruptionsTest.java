package dev.serval.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.LeakCheck;
import dev.serval.Serval;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.testkit.RawClient;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whether an interrupt counts as a fault: by the server that stops, or by the application itself.
@Timeout(120)
final class InterruptionsTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    static Stream<BlockingServerTest.Mode> modes() {
        return BlockingServerTest.modes();
    }

    @ParameterizedTest
    @MethodSource("modes")
    void interruptByApplicationIsAFault(BlockingServerTest.Mode mode) throws Exception {
        Serval server =
                mode.serve(
                        x -> {
                            Thread.currentThread().interrupt();
                            new CountDownLatch(1).await();
                        },
                        Limits.DEFAULT);
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            assertThat(client.send(GET).answer().status()).isEqualTo(500);
        }
        assertThat(server.metrics().sum(Counter.HANDLER_FAULTS)).isEqualTo(1);
        server.close();
        LeakCheck.nothingHeld(server);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void interruptByStopIsNoFault(BlockingServerTest.Mode mode) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        Serval server =
                mode.serve(
                        x -> {
                            begun.countDown();
                            new CountDownLatch(1).await(); // never counted down
                        },
                        Limits.DEFAULT);
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            client.send(GET);
            begun.await();
            server.close();
            assertThat(client.answer().status()).isEqualTo(503);
        }
        assertThat(server.metrics().sum(Counter.HANDLER_FAULTS)).isZero();
        LeakCheck.nothingHeld(server);
    }
}
