package dev.serval.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AwaitTest {
    @Test
    void asksAgainUntilTheConditionHolds() {
        AtomicInteger asked = new AtomicInteger();
        Await.until("asked thrice", () -> asked.incrementAndGet() == 3);
        assertThat(asked).hasValue(3);
    }

    @Test
    void saysWhatDidNotCome() {
        assertThatThrownBy(() -> Await.until("pigs fly", Duration.ofMillis(5), () -> false))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("pigs fly");
    }

    @Test
    void passesAnOpenLatch() {
        Await.open("it is open", new CountDownLatch(0));
    }

    @Test
    void nobodyListensOnAFreePort() {
        int port = FreePort.find();
        assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                .isInstanceOf(ConnectException.class);
    }
}
