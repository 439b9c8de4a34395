package dev.serval.servlet.password;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class DigestNoncesTest {
    private static final long VALID = TimeUnit.MINUTES.toNanos(5);

    private long now = Long.MAX_VALUE - 1_000; // the clock may pass this value
    private final DigestNonces nonces = new DigestNonces(VALID, 3, new SecureRandom(), () -> now);

    @Test
    void countIsUsedOnce() {
        String nonce = nonces.next();
        assertThat(nonces.use(nonce, 1)).isTrue();
        assertThat(nonces.use(nonce, 1)).isFalse();
        assertThat(nonces.use(nonce, 2)).isTrue();
        assertThat(nonces.use(nonce, 0)).isFalse();
    }

    /// Requests on several connections overtake each other.
    @Test
    void countsMayArriveInAnotherOrderWithinTheWindow() {
        String nonce = nonces.next();
        assertThat(nonces.use(nonce, 64)).isTrue();
        assertThat(nonces.use(nonce, 1)).isTrue(); // 63 behind
        assertThat(nonces.use(nonce, 1)).isFalse();
        assertThat(nonces.use(nonce, 65)).isTrue();
        assertThat(nonces.use(nonce, 1)).isFalse();
        assertThat(nonces.use(nonce, 2)).isTrue();
        assertThat(nonces.use(nonce, 66)).isTrue();
        assertThat(nonces.use(nonce, 200)).isTrue();
        assertThat(nonces.use(nonce, 136)).isFalse(); // 64 behind
        assertThat(nonces.use(nonce, 137)).isTrue();
        assertThat(nonces.use(nonce, 200)).isFalse();
    }

    @Test
    void nonceEnds() {
        String nonce = nonces.next();
        now += VALID;
        assertThat(nonces.isValid(nonce)).isTrue();
        now += 1;
        assertThat(nonces.isValid(nonce)).isFalse();
        assertThat(nonces.use(nonce, 1)).isFalse();
    }

    @Test
    void nonceOfAnotherServerOrChangedIsRefused() {
        String nonce = nonces.next();
        DigestNonces other = new DigestNonces(VALID, 3, new SecureRandom(), () -> now);
        assertThat(other.isValid(nonce)).isFalse();
        for (int i = 0; i < nonce.length(); i++) {
            char changed = nonce.charAt(i) == 'A' ? 'B' : 'A';
            String wrong = nonce.substring(0, i) + changed + nonce.substring(i + 1);
            assertThat(nonces.use(wrong, 1)).as(wrong).isFalse();
        }
        assertThat(nonces.isValid("")).isFalse();
        assertThat(nonces.isValid("???")).isFalse();
        assertThat(nonces.isValid(nonce + "=")).isFalse(); // another text of the same bytes
        assertThat(nonces.isValid(nonce)).isTrue();
    }

    /// A nonce that was forgotten cannot be replayed: it may have been used.
    @Test
    void forgottenNonceIsStale() {
        String first = nonces.next();
        assertThat(nonces.use(first, 1)).isTrue();
        now++;
        String unused = nonces.next();
        for (int i = 0; i < 3; i++) {
            now++;
            assertThat(nonces.use(nonces.next(), 1)).isTrue();
        }
        assertThat(nonces.size()).isEqualTo(3);
        assertThat(nonces.use(first, 1)).isFalse();
        assertThat(nonces.use(first, 2)).isFalse();
        assertThat(nonces.use(unused, 1)).isTrue(); // younger than the forgotten one
    }
}
