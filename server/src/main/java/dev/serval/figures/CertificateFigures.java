package dev.serval.figures;

import dev.serval.acme.AutomaticCertificates;
import dev.serval.acme.HostState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Reads the figures of automatic certificates. Stateless.
final class CertificateFigures {
    private CertificateFigures() {}

    /// @param certificates null for none
    static void add(@Nullable AutomaticCertificates certificates, Exposition to) {
        if (certificates == null) {
            return;
        }
        for (HostState host : certificates.states()) {
            @Nullable Instant end = host.validUntil();
            if (end != null) {
                to.add(Metric.CERTIFICATE_END, end.getEpochSecond(), host.host());
            }
            to.add(Metric.CERTIFICATE_FAILURES, host.failures(), host.host());
            to.add(Metric.CERTIFICATE_ORDERS, host.issued(), host.host(), "issued");
            to.add(Metric.CERTIFICATE_ORDERS, host.failed(), host.host(), "failed");
        }
    }
}
