package dev.serval.site;

import dev.serval.acme.AutomaticCertificates;
import dev.serval.acme.HostState;
import dev.serval.control.Commands.Answer;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Prints the automatic certificates: what each host has, and why it has none. Stateless.
final class StatusCertificates {
    private StatusCertificates() {}

    static void print(@Nullable AutomaticCertificates certificates, Answer answer)
            throws IOException {
        if (certificates == null) {
            return;
        }
        answer.line("");
        answer.line(
                String.format(
                        Locale.ROOT,
                        "%-34s %-34s %-22s %s",
                        "Certificate",
                        "state",
                        "valid until",
                        "next attempt"));
        for (HostState host : certificates.states()) {
            @Nullable Instant end = host.validUntil();
            answer.line(
                    String.format(
                            Locale.ROOT,
                            "%-34s %-34s %-22s %s",
                            host.host(),
                            host.phase().text(),
                            end == null ? "-" : end,
                            host.nextAttempt().truncatedTo(ChronoUnit.SECONDS)));
            @Nullable String why = host.why();
            if (why != null) {
                answer.line(
                        "  failed "
                                + host.failures()
                                + " times in a row, last: "
                                + StatusScreen.printable(why));
            }
        }
    }
}
