package dev.serval.acme;

import java.io.IOException;
import java.io.Serial;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Gets certificates from an authority. Used by one thread.
@FunctionalInterface
interface Issuer {
    /// Orders a certificate and waits for it.
    ///
    /// @return PEM blocks: the private key, the certificate and its chain
    /// @throws Refused if the authority does not issue it
    /// @throws IOException if the authority or the folder cannot be reached
    String issue(String host) throws IOException, InterruptedException;

    /// The authority does not issue a certificate.
    final class Refused extends IOException {
        @Serial private static final long serialVersionUID = 1;

        private final transient @Nullable Instant notBefore;

        /// @param notBefore when it may be asked again; null if it does not say
        Refused(String why, @Nullable Instant notBefore, @Nullable Throwable cause) {
            super(why, cause);
            this.notBefore = notBefore;
        }

        @Nullable Instant notBefore() {
            return notBefore;
        }
    }
}
