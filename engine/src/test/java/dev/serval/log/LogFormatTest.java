package dev.serval.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.conn.MemoryServer;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Fault;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Limits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LogFormatTest {
    private static final ZoneId UTC = ZoneId.of("UTC");

    @TempDir private Path folder;

    /// Answers "Hello", or what the path says.
    private static void answer(Exchange x) {
        switch (x.request().target().path().text()) {
            case "/empty" -> {
                x.response().head(new ResponseHead(Status.NO_CONTENT, Fields.EMPTY, 0));
                x.response().end(Fields.EMPTY);
            }
            case "/404" -> x.refuse(Status.NOT_FOUND, Fields.EMPTY, "");
            case "/never" -> x.onAbort(() -> {});
            default -> {
                Fields fields = new Fields().add("X-Made-By", "a \"test\"").add("ETag", "\"1\"");
                x.response().head(new ResponseHead(Status.OK, fields, 5));
                x.response().write(Body.Bytes.of("Hello".getBytes(StandardCharsets.US_ASCII)));
                x.response().end(Fields.EMPTY);
            }
        }
    }

    private String line(String format, String head) throws IOException {
        try (LoggedServer server = LoggedServer.of(folder, format, LogFormatTest::answer)) {
            List<String> lines = server.logged(head);
            assertThat(lines).hasSize(1);
            return lines.getFirst();
        }
    }

    @Test
    void commonLogFormat() throws IOException {
        assertThat(line("common", "GET /a?b=c HTTP/1.1"))
                .isEqualTo(
                        "127.0.0.1 - - [01/Jan/2026:00:00:00 +0000] \"GET /a?b=c HTTP/1.1\" 200 5");
    }

    @Test
    void combinedLogFormat() throws IOException {
        assertThat(line("combined", "GET / HTTP/1.1\nReferer: http://x/\nUser-Agent: A \"b\" é"))
                .isEqualTo(
                        "127.0.0.1 - - [01/Jan/2026:00:00:00 +0000] \"GET / HTTP/1.1\" 200 5"
                                + " \"http://x/\" \"A \\x22b\\x22 \\xE9\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /a?b=%20c HTTP/1.1",
                "GET /404 HTTP/1.1",
                "HEAD /empty HTTP/1.1",
                "no head"
            })
    void commonBeginningIsWrittenAsItsCodesAre(String head) throws IOException {
        String codes = "%a %l %u %{}t \"%r\" %s %b";
        List<String> both = List.of(line(LogFormat.COMMON + "|" + codes, head).split("\\|", -1));
        assertThat(both.getFirst()).isEqualTo(both.getLast()).startsWith("127.0.0.1 - - [");
    }

    @ParameterizedTest
    @CsvSource({
        "%a, 127.0.0.1",
        "%{c}a, 127.0.0.1",
        "%A, 127.0.0.1",
        "%B %b, 5 5",
        "%l, -",
        "%u, -",
        "%m, GET",
        "%U, /a/b",
        "%q, ?c=d",
        "%H, HTTP/1.1",
        "%r, GET /a/b?c=d HTTP/1.1",
        "%s %>s %<s, 200 200 200",
        "%v %V, a.example a.example",
        "%p %{local}p %{canonical}p, 80 80 80",
        "%{X-Test}i, yes",
        "%{x-test}i, yes",
        "%{Host}i, a.example",
        "%{Absent}i, -",
        "%{X-Made-By}o, a \\x22test\\x22",
        "%{etag}o, \\x221\\x22",
        "%{Content-Length}o, 5",
        "%{Absent}o, -",
        "%{one}C, 1",
        "%{two}C, 2",
        "%{ne}C, -",
        "%k, 0",
        "%X, +",
        "%D %T %{s}T %{ms}T %{us}T, 0 0 0 0 0",
        "%%a%%, %a%",
        "%200{X-Test}i, yes",
        "'%404,500{X-Test}i', -",
        "%!200{X-Test}i, -",
        "%!404{X-Test}i, yes",
        "%{sec}t, 1767225600",
        "%{msec}t, 1767225600000",
        "%{usec}t, 1767225600000000",
        "%{msec_frac}t, 000",
        "%{begin:%Y}t, 2026",
        "%{end:%H:%M}t, 00:00",
        "%{end:}t, [01/Jan/2026:00:00:00 +0000]"
    })
    void knowsTheCodesOfApache(String format, String expected) throws IOException {
        assertThat(line(format, "GET /a/b?c=d HTTP/1.1\nX-Test: yes\nCookie: one=1; two=2"))
                .isEqualTo(expected);
    }

    @Test
    void countsBytesWithTheirHeads() throws IOException {
        try (LoggedServer server = LoggedServer.of(folder, "%I %O %S", LogFormatTest::answer)) {
            String request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc";
            int answer = server.ask(request).length();
            // The handler has read none of the content when it ends.
            int head = request.length() - 3;
            String expected = head + " " + answer + " " + (head + answer);
            assertThat(server.lines()).containsExactly(expected);
            server.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(server.lines().getLast()).startsWith("27 ");
        }
    }

    @Test
    void countsBytesOfAHeadThatCouldNotBeRead() throws IOException {
        try (LoggedServer server = LoggedServer.of(folder, "%>s %I", LogFormatTest::answer)) {
            String request = "GET /\u0001 HTTP/1.1\r\n\r\n";
            server.ask(request);
            assertThat(server.lines()).containsExactly("400 " + request.length());
        }
    }

    @Test
    void timesAreThoseOfTheExchange() throws IOException {
        String format = "%D %{ms}T %T %{%S}t %{end:%S}t %{end:msec_frac}t";
        try (LoggedServer server = LoggedServer.of(folder, format, LogFormatTest::answer)) {
            server.server().pass(Duration.ofMillis(900));
            MemoryPeer client = server.client("127.0.0.1");
            server.ask("GET /never HTTP/1.1\r\nHost: a\r\n\r\n");
            server.server().pass(Duration.ofMillis(2_300));
            client.reset();
            server.server().run();
            assertThat(server.lines()).containsExactly("2300000 2300 2 00 03 200");
        }
    }

    @Test
    void requestThatCouldNotBeReadHasDashes() throws IOException {
        String format = "common";
        try (LoggedServer server = LoggedServer.of(folder, format, LogFormatTest::answer)) {
            server.ask("GET /\u0001 HTTP/1.1\r\n\r\n");
            assertThat(server.lines().getFirst())
                    .startsWith("127.0.0.1 - - [01/Jan/2026:00:00:00 +0000] \"-\" 400 ");
        }
    }

    @Test
    void lateHeadIs408() throws IOException {
        String all = "%m|%U|%q|%H|%{Referer}i|%{a}C|%v|%u|%>s";
        try (LoggedServer server = LoggedServer.of(folder, all, LogFormatTest::answer)) {
            server.ask("GET / HT");
            server.server().pass(Duration.ofSeconds(11));
            assertThat(server.lines()).containsExactly("-|-||-|-|-|-|-|408");
        }
    }

    @Test
    void clientThatHasGoneIs499() throws IOException {
        try (LoggedServer server = LoggedServer.of(folder, "%>s %X", LogFormatTest::answer)) {
            MemoryPeer client = server.client("10.0.0.1");
            server.ask("GET /never HTTP/1.1\r\nHost: a\r\n\r\n");
            client.reset();
            server.server().run();
            assertThat(server.lines()).containsExactly("499 X");
        }
    }

    @Test
    void contentOfHeadIsNotCounted() throws IOException {
        assertThat(line("%b %B", "HEAD / HTTP/1.1")).isEqualTo("- 0");
    }

    @Test
    void aRequestAfterAnotherOnItsConnection() throws IOException {
        try (LoggedServer server = LoggedServer.of(folder, "%k %X", LogFormatTest::answer)) {
            server.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            server.ask("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            assertThat(server.lines()).containsExactly("0 +", "1 -");
        }
    }

    @Test
    void addressesOfOneConnectionAndOfOthers() throws IOException {
        try (LoggedServer server = LoggedServer.of(folder, "%h", LogFormatTest::answer)) {
            for (String from : List.of("192.0.2.77", "2001:db8:1:2:0:0:0:77", "192.0.2.77")) {
                MemoryPeer client = server.client(from);
                server.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(2));
                client.reset();
            }
            assertThat(server.lines())
                    .containsExactly(
                            "192.0.2.77",
                            "192.0.2.77",
                            "2001:db8:1:2::77",
                            "2001:db8:1:2::77",
                            "192.0.2.77",
                            "192.0.2.77");
        }
    }

    @Test
    void clientsBehindATrustedProxyAreNamed() throws IOException {
        String format = "%h %{c}a";
        try (LoggedServer server = LoggedServer.of(folder, format, LogFormatTest::answer)) {
            server.server().trust("127.0.0.1");
            for (String client : List.of("192.0.2.1", "192.0.2.2")) {
                server.ask("GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: " + client + "\r\n\r\n");
            }
            assertThat(server.lines())
                    .containsExactly("192.0.2.1 127.0.0.1", "192.0.2.2 127.0.0.1");
        }
    }

    @Test
    void addressesAreShortenedIfAsked() throws IOException {
        try (LoggedServer server = LoggedServer.shortened(folder, LogFormatTest::answer)) {
            for (String from : List.of("192.0.2.77", "2001:db8:1:2:0:0:0:77")) {
                server.client(from);
                server.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            }
            assertThat(server.lines()).containsExactly("192.0.2.0", "2001:db8:1::");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/short, 200 APPLICATION",
        "/long, 200 APPLICATION",
        "/throws, 500 APPLICATION",
        "/throws-late, 200 APPLICATION",
        "/aborts, 200 APPLICATION",
        "/cuts, 200 APPLICATION",
        "/whole, 200 -"
    })
    void responsesThatAnApplicationBreaksHaveTheirReason(String path, String line)
            throws IOException {
        try (LoggedServer server = LoggedServer.of(folder, "%s %{fault}x", LogFormatTest::broken)) {
            server.ask("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(server.lines()).containsExactly(line);
        }
    }

    @Test
    void requestThatIsRefusedForItsRateHasItsReason() {
        Limits one =
                Limits.DEFAULT.with(draft -> {
                    draft.rate.requests = 1;
                    draft.rate.perNanos = Duration.ofHours(1).toNanos();
                    draft.rate.burst = 1;
                });
        List<String> ended = new ArrayList<>();
        try (MemoryServer server = MemoryServer.of(LogFormatTest::answer, one)) {
            LoggedServer.listen(
                    server, record -> ended.add(record.status() + " " + record.fault()));
            String get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
            server.ask(server.connect(), get + get);
            assertThat(ended).containsExactly("200 null", "429 OVERLOAD");
        }
    }

    /// Breaks its response as the path says.
    private static void broken(Exchange x) {
        String path = x.request().target().path().text();
        if (path.equals("/throws")) {
            throw new IllegalStateException("meant: before the head");
        }
        int length =
                switch (path) {
                    case "/long" -> 4;
                    case "/whole" -> 5;
                    default -> 6;
                };
        x.response().head(new ResponseHead(Status.OK, Fields.EMPTY, length));
        x.response().write(Body.Bytes.of("Hello".getBytes(StandardCharsets.US_ASCII)));
        switch (path) {
            case "/throws-late" -> throw new IllegalStateException("meant: after the head");
            case "/aborts" -> x.response().abort(Fault.APPLICATION);
            case "/cuts" -> x.response().cut(Fault.APPLICATION);
            default -> x.response().end(Fields.EMPTY);
        }
    }

    @Test
    void faultsOfHandlersAreLoggedWithTheirStatus() throws IOException {
        try (LoggedServer server =
                LoggedServer.of(folder, "%>s", x -> x.response().abort(Fault.APPLICATION))) {
            server.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(server.lines()).containsExactly("500");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', characters",
        "%Q, column 1 %Q",
        "a %h %, column 6",
        "%{Referer, column 2",
        "%{Referer}, column 1",
        "%{x}h, column 1 %{x}h",
        "%i, column 1 %i",
        "%{%Q}t, %Q at column 3",
        "ab %{begin:%Y%Q}t, %Q at column 14",
        "'%200,{a}i', column 2",
        "%999{a}i, column 2",
        "a\u0001b, column 2",
        "aé, column 2",
        "%{%H\u0001}t, column 5",
        "%{é}t, column 3",
        "%{hours}T, column 1"
    })
    void mistakesAreNamedWithTheirColumn(String pattern, String expected) {
        assertThatThrownBy(() -> LogFormat.of(pattern, UTC)).hasMessageContaining(expected);
    }

    @Test
    void boundsTheValuesOfAPattern() {
        int most = AccessLogLimits.STANDARD.valuesMax();
        assertThat(LogFormat.of("%{a}i".repeat(most), UTC).values()).isEqualTo(most);
        assertThatThrownBy(() -> LogFormat.of("%{a}i".repeat(most + 1), UTC))
                .hasMessageContaining(most + " values");
    }

    @Test
    void everyLineFitsIntoTheRingAndTheBuffer() {
        AccessLogLimits limits = AccessLogLimits.STANDARD;
        String largest = "%{a}i".repeat(limits.valuesMax());
        largest += "x".repeat(4000 - largest.length());
        int line = LogFormat.of(largest, UTC).maxBytes(limits);
        assertThat(line).isLessThan(limits.bufferBytes()).isLessThan(limits.ringBytes() / 4);
    }
}
