package dev.serval.acme;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// How the certificate of a host is. Immutable.
///
/// @param validUntil the end of the certificate that is served; null if there is none
/// @param nextAttempt when the next attempt to get a certificate may begin
/// @param failures attempts that have failed since the last certificate, of all servers of the folder
/// @param why what the last one of them has met; null if none has failed
/// @param issued certificates that this server has got since its start
/// @param failed attempts of this server that have failed since its start
public record HostState(
        String host,
        Phase phase,
        @Nullable Instant validUntil,
        Instant nextAttempt,
        int failures,
        @Nullable String why,
        long issued,
        long failed) {
    /// What clients of the host get, and what is done about it.
    public enum Phase {
        /// There is no certificate, so handshakes are refused.
        AWAITED("no certificate yet"),
        /// The first certificate is being ordered.
        ORDERED("no certificate yet, being ordered"),
        /// The certificate is served.
        SERVED("served"),
        /// The certificate is served while the next one is being ordered.
        RENEWED("served, being renewed"),
        /// The certificate has expired. It is served, because clients may prefer it to nothing.
        EXPIRED("expired");

        private final String text;

        Phase(String text) {
            this.text = text;
        }

        /// Returns it in words.
        public String text() {
            return text;
        }
    }
}
