package dev.serval.gateway.tls;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Why a connection with TLS to an upstream failed, for people and for counters. Immutable.
///
/// @param sentence for the log: what happened, and what to do
public record TlsTrouble(Kind kind, String sentence) {
    private static final Pattern ALERT = Pattern.compile("fatal alert: ([a-z_]+)");

    /// The kinds that are counted.
    public enum Kind {
        /// Its certificate has expired, or is not valid yet.
        EXPIRED,
        /// No known authority has signed its certificate.
        UNKNOWN_AUTHORITY,
        /// Its certificate is for another name.
        WRONG_NAME,
        /// It refuses the certificate of this server, or misses one.
        OWN_CERTIFICATE,
        /// Anything else in a handshake, such as a peer that does not speak TLS.
        HANDSHAKE
    }

    /// Finds the reason in what a transport has thrown.
    public static TlsTrouble of(Throwable thrown) {
        @Nullable Throwable each = thrown;
        while (each != null) {
            if (each instanceof Distrust distrust) {
                return new TlsTrouble(distrust.kind(), distrust.getMessage() + ".");
            }
            each = each.getCause();
        }
        String message = String.valueOf(thrown.getMessage());
        Matcher alert = ALERT.matcher(message);
        return alert.find() ? ofAlert(alert.group(1)) : other(message);
    }

    private static TlsTrouble other(String message) {
        return new TlsTrouble(
                Kind.HANDSHAKE,
                "The TLS handshake failed: "
                        + message
                        + ". Check that it speaks TLS 1.2 or 1.3 at this port.");
    }

    private static TlsTrouble ofAlert(String name) {
        return switch (name) {
            case "certificate_required",
                    "bad_certificate",
                    "unsupported_certificate",
                    "certificate_revoked",
                    "certificate_expired",
                    "certificate_unknown",
                    "unknown_ca",
                    "access_denied" ->
                    new TlsTrouble(
                            Kind.OWN_CERTIFICATE,
                            "It does not accept the certificate that this server shows, or that it"
                                    + " shows none (alert "
                                    + name
                                    + "). Check tls.certificate and tls.key of the upstream.");
            default -> other("it answers with the alert " + name);
        };
    }
}
