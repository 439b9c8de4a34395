package dev.serval.examples.shop.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PasswordHashTest {
    @Test
    void samePasswordHasDifferentHashes() {
        PasswordHash hash = new PasswordHash(5);
        String first = hash.of("geheim");
        assertThat(first).matches("pbkdf2\\$5\\$[0-9a-f]{32}\\$[0-9a-f]{64}");
        assertThat(hash.of("geheim")).isNotEqualTo(first);
        assertThat(PasswordHash.matches(first, "geheim")).isTrue();
        assertThat(PasswordHash.matches(first, "geheim ")).isFalse();
    }

    /// Test vector 2 of RFC 7914 §11, with the first half of its 64 bytes: c is 80,000.
    @Test
    void hashIsPbkdf2() {
        String salt = "4e61436c"; // "NaCl"
        String hash = "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56";
        assertThat(PasswordHash.matches("pbkdf2$80000$" + salt + "$" + hash, "Password")).isTrue();
    }

    /// The form is what makes the comparison take its time.
    @Test
    void hashOfNobodyHasTheFormOfOthers() {
        String hash = new PasswordHash(5).ofNobody();
        assertThat(hash).matches("pbkdf2\\$5\\$[0-9a-f]{32}\\$[0-9a-f]{64}");
        assertThat(PasswordHash.matches(hash, "")).isFalse();
    }

    @Test
    void hashWithOtherRoundsStaysValid() {
        assertThat(PasswordHash.matches(new PasswordHash(3).of("a"), "a")).isTrue();
        assertThat(PasswordHash.matches("plain", "plain")).isFalse();
    }
}
