package dev.serval.servlet.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Ids are unique, well formed, and all bits of them random.
final class SessionIdsTest {
    @Test
    void idsAreUniqueAndHave128Bits() {
        SessionIds ids = new SessionIds(new SecureRandom());
        Set<String> seen = new HashSet<>();
        byte[] ones = new byte[16];
        byte[] zeros = new byte[16];
        for (int i = 0; i < 10_000; i++) {
            String id = ids.next();
            assertThat(SessionIds.isWellFormed(id)).isTrue();
            assertThat(seen.add(id)).isTrue();
            byte[] bytes = Base64.getUrlDecoder().decode(id);
            assertThat(bytes).hasSize(16);
            for (int b = 0; b < 16; b++) {
                ones[b] |= bytes[b];
                zeros[b] |= (byte) ~bytes[b];
            }
        }
        assertThat(ones).containsOnly(-1); // each bit was set once
        assertThat(zeros).containsOnly(-1); // and clear once
    }

    @Test
    void idsOfManyThreadsAreUnique() throws InterruptedException {
        SessionIds ids = new SessionIds(new SecureRandom());
        Set<String> seen = ConcurrentHashMap.newKeySet();
        CountDownLatch start = new CountDownLatch(1);
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            threads[i] =
                    Thread.ofVirtual()
                            .start(() -> {
                                awaitStart(start);
                                for (int n = 0; n < 5_000; n++) {
                                    seen.add(ids.next());
                                }
                            });
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(seen).hasSize(40_000);
    }

    @ParameterizedTest
    @CsvSource({
        "abcdefghijklmnopqrstuv, true",
        "ABCDEFGHIJKLMNOP-_0189, true",
        "abcdefghijklmnopqrstu, false",
        "abcdefghijklmnopqrstuvw, false",
        "'', false",
        "abcdefghijklmnopqrstu=, false",
        "abcdefghijklmnopqrstu;, false",
        "abcdefghijklmnopqrst/v, false",
        "abcdefghijklmnopqrst+v, false",
        "abcdefghijklmnopqrst%v, false",
        "abcdefghijklmnopqrst\u00e9v, false",
    })
    void checksForm(String text, boolean expected) {
        assertThat(SessionIds.isWellFormed(text)).isEqualTo(expected);
    }

    private static void awaitStart(CountDownLatch start) {
        try {
            start.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
