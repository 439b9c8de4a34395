package dev.serval.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AwaitTest {
    @Test
    void waitsUntilTheConditionHolds() {
        AtomicInteger checks = new AtomicInteger();
        Await.until("checked three times", () -> checks.incrementAndGet() == 3);
        assertThat(checks).hasValue(3);
    }

    @Test
    void failureNamesTheCondition() {
        assertThatThrownBy(() -> Await.until("pigs fly", Duration.ofMillis(5), () -> false))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("pigs fly");
    }

    @Test
    void acceptsAnOpenLatch() {
        Await.open("it is open", new CountDownLatch(0));
    }

    @Test
    void partsRunAtTheSameTimeAndTheirResultsAreInOrder() throws Exception {
        CyclicBarrier all = new CyclicBarrier(3);
        assertThat(
                        Await.together(
                                3,
                                number -> {
                                    all.await(20, TimeUnit.SECONDS);
                                    return number * number;
                                }))
                .containsExactly(0, 1, 4);
    }

    @Test
    void noServerListensOnAFreePort() {
        int port = FreePort.find();
        assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                .isInstanceOf(ConnectException.class);
    }
}
