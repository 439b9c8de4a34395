package dev.serval.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.policy.Limits;
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
                new Admission(
                        Limits.Counts.DEFAULT.with(draft -> {
                            draft.connectionsMax = 2;
                            draft.exchangesMax = 1;
                        }),
                        1);
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
                new Admission(
                        Limits.Counts.DEFAULT.with(draft -> {
                            draft.perAddressMax = 2;
                            draft.exchangesMax = 1;
                        }),
                        1);
        assertThat(admission.enter(client(1))).isEqualTo(Admission.Verdict.ADMITTED);
        assertThat(admission.enter(client(1))).isEqualTo(Admission.Verdict.ADMITTED);
        assertThat(admission.enter(client(1))).isEqualTo(Admission.Verdict.ADDRESS_FULL);
        assertThat(admission.enter(client(2))).isEqualTo(Admission.Verdict.ADMITTED);
        assertThat(admission.enter(null)).isEqualTo(Admission.Verdict.ADMITTED);
        assertThat(admission.connections()).isEqualTo(4);
        admission.leave(client(1));
        assertThat(admission.enter(client(1))).isEqualTo(Admission.Verdict.ADMITTED);
    }

    /// One client has all addresses that begin with its 64 bits.
    @Test
    void clientOfIpv6IsItsFirst64Bits() {
        Admission admission =
                new Admission(Limits.Counts.DEFAULT.with(draft -> draft.perAddressMax = 2), 1);
        InetAddress first = InetAddress.ofLiteral("2001:db8:1:2::1");
        assertThat(admission.enter(first)).isEqualTo(Admission.Verdict.ADMITTED);
        assertThat(admission.enter(InetAddress.ofLiteral("2001:db8:1:2::2")))
                .isEqualTo(Admission.Verdict.ADMITTED);
        assertThat(admission.enter(InetAddress.ofLiteral("2001:db8:1:2:ffff::3")))
                .isEqualTo(Admission.Verdict.ADDRESS_FULL);
        assertThat(admission.enter(InetAddress.ofLiteral("2001:db8:1:3::1")))
                .isEqualTo(Admission.Verdict.ADMITTED);
        admission.leave(first);
        assertThat(admission.enter(InetAddress.ofLiteral("2001:db8:1:2:ffff::3")))
                .isEqualTo(Admission.Verdict.ADMITTED);
    }

    @Test
    void admitsRequestsUpToASmallLimitExactly() {
        Admission admission =
                new Admission(Limits.Counts.DEFAULT.with(draft -> draft.exchangesMax = 2), 2);
        Admission.Quota first = admission.quota(0);
        Admission.Quota second = admission.quota(1);
        assertThat(first.begin()).isTrue();
        assertThat(second.begin()).isTrue();
        assertThat(first.begin()).isFalse();
        assertThat(second.begin()).isFalse();
        assertThat(admission.exchanges()).isEqualTo(2);
        first.end();
        assertThat(second.begin()).isTrue();
        second.end();
        second.end();
        assertThat(first.begin()).isTrue();
        assertThat(first.begin()).isTrue();
        assertThat(admission.exchanges()).isEqualTo(2);
    }

    @Test
    void quotasKeepLittleOfALargeLimitFromEachOther() {
        int max = 10_000;
        Admission admission =
                new Admission(Limits.Counts.DEFAULT.with(draft -> draft.exchangesMax = max), 4);
        List<Admission.Quota> quotas = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Admission.Quota quota = admission.quota(i);
            quotas.add(quota);
            begin(quota, 1000);
            end(quota, 1000);
        }
        assertThat(admission.exchanges()).isZero();
        int most = begin(quotas.getFirst(), max + 1);
        assertThat(most).isBetween(max - max / 32, max);
        assertThat(admission.exchanges()).isEqualTo(most);
        for (Admission.Quota quota : quotas) {
            most += begin(quota, max);
        }
        assertThat(most).as("with what other quotas kept").isEqualTo(max);
    }

    @Test
    void neverAdmitsMoreRequestsThanItsLimitFromManyLoops() throws InterruptedException {
        int max = 1000;
        Admission admission =
                new Admission(Limits.Counts.DEFAULT.with(draft -> draft.exchangesMax = max), 3);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Admission.Quota quota = admission.quota(i);
            threads.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int round = 0; round < 200; round++) {
                                    int begun = 0;
                                    while (begun < max / 2 && quota.begin()) {
                                        begun++;
                                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                                    }
                                    for (; begun > 0; begun--) {
                                        inside.decrementAndGet();
                                        quota.end();
                                    }
                                }
                            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(most.get()).isLessThanOrEqualTo(max);
        assertThat(admission.exchanges()).isZero();
    }

    @Test
    void neverAdmitsMoreConnectionsThanItsLimitsFromManyThreads() throws InterruptedException {
        Admission admission =
                new Admission(
                        Limits.Counts.DEFAULT.with(draft -> {
                            draft.connectionsMax = 3;
                            draft.perAddressMax = 2;
                        }),
                        1);
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
        assertThat(admission.enter(client(0))).isEqualTo(Admission.Verdict.ADMITTED);
        assertThat(admission.enter(client(0))).isEqualTo(Admission.Verdict.ADMITTED);
        assertThat(admission.enter(client(0))).isEqualTo(Admission.Verdict.ADDRESS_FULL);
    }

    private static int begin(Admission.Quota quota, int times) {
        int begun = 0;
        for (int i = 0; i < times; i++) {
            begun += quota.begin() ? 1 : 0;
        }
        return begun;
    }

    private static void end(Admission.Quota quota, int times) {
        for (int i = 0; i < times; i++) {
            quota.end();
        }
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
