package dev.serval.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class AdmissionTest {
    @Test
    void admitsConnectionsUpToItsLimit() {
        Admission admission =
                new Admission(Limits.Counts.DEFAULT.withConnectionsMax(2).withExchangesMax(1));
        assertThat(admission.enter(null)).isEqualTo(Admission.Verdict.ADMITTED);
        assertThat(admission.enter(client(1))).isEqualTo(Admission.Verdict.ADMITTED);
        assertThat(admission.enter(client(2))).isEqualTo(Admission.Verdict.SERVER_FULL);
        assertThat(admission.connections()).isEqualTo(2);
        admission.leave(null);
        assertThat(admission.enter(client(2))).isEqualTo(Admission.Verdict.ADMITTED);
    }

    @Test
    void admitsConnectionsOfAClientUpToItsLimit() {
        Admission admission =
                new Admission(Limits.Counts.DEFAULT.withPerAddressMax(2).withExchangesMax(1));
        assertThat(admission.enter(client(1))).isEqualTo(Admission.Verdict.ADMITTED);
        assertThat(admission.enter(client(1))).isEqualTo(Admission.Verdict.ADMITTED);
        assertThat(admission.enter(client(1))).isEqualTo(Admission.Verdict.ADDRESS_FULL);
        assertThat(admission.enter(client(2))).isEqualTo(Admission.Verdict.ADMITTED);
        assertThat(admission.enter(null)).isEqualTo(Admission.Verdict.ADMITTED);
        assertThat(admission.connections()).isEqualTo(4);
        admission.leave(client(1));
        assertThat(admission.enter(client(1))).isEqualTo(Admission.Verdict.ADMITTED);
    }

    @Test
    void admitsRequestsUpToItsLimit() {
        Admission admission =
                new Admission(Limits.Counts.DEFAULT.withConnectionsMax(1).withExchangesMax(2));
        assertThat(admission.begin()).isTrue();
        assertThat(admission.begin()).isTrue();
        assertThat(admission.begin()).isFalse();
        assertThat(admission.exchanges()).isEqualTo(2);
        admission.end();
        assertThat(admission.begin()).isTrue();
    }

    @Test
    void neverLetsInMoreThanItsLimitsFromManyThreads() throws InterruptedException {
        Admission admission =
                new Admission(
                        Limits.Counts.DEFAULT
                                .withConnectionsMax(3)
                                .withPerAddressMax(2)
                                .withExchangesMax(3));
        AtomicInteger inside = new AtomicInteger();
        AtomicBoolean tooMany = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            InetAddress client = client(i % 2);
            threads.add(
                    Thread.ofPlatform().start(() -> comeAndGo(admission, client, inside, tooMany)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(tooMany).isFalse();
        assertThat(admission.connections()).isZero();
        assertThat(admission.exchanges()).isZero();
        assertThat(admission.enter(client(0))).isEqualTo(Admission.Verdict.ADMITTED);
        assertThat(admission.enter(client(0))).isEqualTo(Admission.Verdict.ADMITTED);
        assertThat(admission.enter(client(0))).isEqualTo(Admission.Verdict.ADDRESS_FULL);
    }

    private static void comeAndGo(
            Admission admission, InetAddress client, AtomicInteger inside, AtomicBoolean tooMany) {
        for (int n = 0; n < 10_000; n++) {
            if (admission.enter(client) != Admission.Verdict.ADMITTED) {
                continue;
            }
            if (inside.incrementAndGet() > 3) {
                tooMany.set(true);
            }
            if (admission.begin()) {
                admission.end();
            }
            inside.decrementAndGet();
            admission.leave(client);
        }
    }

    private static InetAddress client(int number) {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) number});
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
