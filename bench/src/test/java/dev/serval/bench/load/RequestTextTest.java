package dev.serval.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.peer.Site;
import dev.serval.bench.report.Gate;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.servlet.Request;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestTextTest {
    private static final Client.Target TARGET =
            new Client.Target(8080, new Site.Page("/4k.bin", 4096, ""));

    @Test
    void browserHeadHasABrowsersSize() {
        String head = RequestText.request(TARGET, Cell.HeadKind.BROWSER, "", false);
        assertThat(head.length()).isBetween(400, 500);
        assertThat(head).startsWith("GET /4k.bin HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n");
        assertThat(head.replace("\r\n", "")).doesNotContain("\n").doesNotContain("\r");
    }

    @Test
    void batchHasContentAndCookieOfEachRequest() {
        Request form = new Request("/form", Request.Body.PARAMETERS, 1, Request.Answer.SUM);
        Cell.Load load =
                new Cell.Load(
                        "a",
                        "a",
                        "form",
                        List.of(),
                        1,
                        0,
                        2,
                        Cell.ClientKind.OWN,
                        Cell.HeadKind.SHORT,
                        List.of(),
                        Gate.NONE,
                        List.of());
        ByteBuffer batch =
                RequestText.batch(new Client.Target(8080, form.page(), form), load, "ID=a", false);
        String head =
                """
                POST /form HTTP/1.1
                Host: 127.0.0.1:8080
                Content-Type: application/x-www-form-urlencoded
                Content-Length: 5
                Cookie: ID=a

                """;
        String one = head.replace("\n", "\r\n") + "p0=v0";
        assertThat(StandardCharsets.US_ASCII.decode(batch).toString()).isEqualTo(one + one);
    }

    @Test
    void sendsCloseOnlyOnRequest() {
        assertThat(RequestText.request(TARGET, Cell.HeadKind.SHORT, "", true))
                .endsWith("\r\nConnection: close\r\n\r\n");
        assertThat(RequestText.request(TARGET, Cell.HeadKind.SHORT, "", false))
                .doesNotContain("Connection");
    }

    @Test
    void memberSendsNameAndPassword() {
        Request members = new Request("/hello", Request.Body.NONE, 0, Request.Answer.MEMBERS);
        Client.Target target = new Client.Target(80, members.page(), members);
        assertThat(RequestText.request(target, Cell.HeadKind.SHORT, "", false))
                .contains("\r\nAuthorization: Basic dXNlcjA6c2VjcmV0MA==\r\n");
    }
}
