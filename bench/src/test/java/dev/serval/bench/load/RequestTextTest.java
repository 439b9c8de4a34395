package dev.serval.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.peer.Site;
import org.junit.jupiter.api.Test;

class RequestTextTest {
    private static final Client.Target TARGET =
            new Client.Target(8080, new Site.Page("/4k.bin", 4096, ""));

    @Test
    void browserHeadHasABrowsersSize() {
        String head = RequestText.head(TARGET, Cell.HeadKind.BROWSER, false);
        assertThat(head.length()).isBetween(400, 500);
        assertThat(head).startsWith("GET /4k.bin HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n");
        assertThat(head.replace("\r\n", "")).doesNotContain("\n").doesNotContain("\r");
    }

    @Test
    void sendsCloseOnlyOnRequest() {
        assertThat(RequestText.head(TARGET, Cell.HeadKind.SHORT, true))
                .endsWith("\r\nConnection: close\r\n\r\n");
        assertThat(RequestText.head(TARGET, Cell.HeadKind.SHORT, false))
                .doesNotContain("Connection");
    }
}
