package dev.serval.soak.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Serval;
import dev.serval.http.Fields;
import dev.serval.http.Status;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class SoakSiteTest {
    private static final int WHILE_STARTING = 3;

    @Test
    @Timeout(60)
    void waitsWhileTheAdministrationRefuses() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (Serval server =
                Serval.builder()
                        .listen(0)
                        .mount(
                                "/",
                                x ->
                                        x.refuse(
                                                asked.incrementAndGet() > WHILE_STARTING
                                                        ? Status.OK
                                                        : Status.SERVICE_UNAVAILABLE,
                                                Fields.EMPTY,
                                                ""))
                        .start()) {
            SoakSite.awaitStart(server.port(), "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        }
        assertThat(asked).hasValue(WHILE_STARTING + 1);
    }
}
