package dev.serval.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.serval.conn.MemoryServer;
import dev.serval.handler.MountSettings;
import dev.serval.http.FieldChanges;
import dev.serval.policy.Counter;
import dev.serval.policy.LabelledCounter;
import dev.serval.route.RouteTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RewriteTest {
    private static Rewrite rule(String pattern, String to) {
        return new Rewrite(List.of(new Rewrite.Rule(pattern, to, true)));
    }

    @ParameterizedTest
    @CsvSource({
        "^/a/(.*)$, /b/$1, /a/x, /b/x",
        "^/a/(.*)$, /b/$1, /a/x%20y?q=1, /b/x%20y?q=1",
        "^/post/(\\d+)$, /index.php?p=$1, /post/7, /index.php?p=7",
        "^/post/(\\d+)$, /index.php?p=$1, /post/7?x=y&z, /index.php?p=7&x=y&z",
        "^/u/(?<name>[^/]+)$, /p?n=${name}, /u/a%26b%3Dc, /p?n=a%26b%3Dc",
        "^/u(/x)?$, /p$1, /u, /p",
        "^/a$, $0/b, /a, /a/b",
        "(.+)\\.htm$, $1.html, /a/b.htm, /a/b.html",
        "^/a, /b/../c, /a/../a, /b/../c",
        "^/nothing, /b, /a, /a"
    })
    void givesAnotherTarget(String pattern, String to, String target, String result) {
        try (MemoryServer server = Rules.at("/", rule(pattern, to), Rules.says("got"))) {
            assertThat(Rules.content(server, "PROPFIND " + target)).isEqualTo("got " + result);
            assertThat(server.log().getLast()).startsWith("OTHER " + target + " 200 ");
        }
    }

    @Test
    void dropsTheQueryIfAsked() {
        Rewrite rule = new Rewrite(List.of(new Rewrite.Rule("^/a$", "/b", false)));
        try (MemoryServer server = Rules.at("/", rule, Rules.says("got"))) {
            assertThat(Rules.content(server, "GET /a?x")).isEqualTo("got /b");
        }
    }

    @Test
    void continuesInItsMountOrEntersAnother() {
        MountSettings marked =
                MountSettings.NONE.with(draft ->
                        draft.fields =
                                new FieldChanges(List.of(FieldChanges.Change.set("X-Mark", "a"))));
        RouteTable.Builder table =
                RouteTable.builder()
                        .mount(
                                RouteTable.DEFAULT_HOST,
                                "/a",
                                marked,
                                rule("^/in", "/a/there"),
                                rule("^/out", "/b/x"),
                                rule("^/nowhere", "/z"),
                                Rules.says("a"))
                        .mount("/b", Rules.says("b"));
        try (MemoryServer server = Rules.of(table)) {
            assertThat(Rules.answer(server, "GET /a/in"))
                    .contains("\r\nX-Mark: a\r\n")
                    .endsWith("a /a/there");
            assertThat(Rules.answer(server, "GET /a/out"))
                    .doesNotContain("X-Mark")
                    .endsWith("b /b/x");
            assertThat(Rules.status(server, "GET /a/nowhere")).isEqualTo("404");
            assertThat(Rules.content(server, "GET /a/in")).isEqualTo("a /a/there");
        }
    }

    @Test
    void endsACircle() {
        RouteTable.Builder table =
                RouteTable.builder()
                        .mount("/a", rule("^", "/b"), Rules.says("a"))
                        .mount("/b", rule("^", "/a"), Rules.says("b"));
        try (MemoryServer server = Rules.of(table)) {
            assertThat(Rules.status(server, "GET /a")).isEqualTo("500");
            assertThat(server.count(Counter.HANDLER_FAULTS)).isEqualTo(1);
            assertThat(server.counts(LabelledCounter.REQUESTS_BY_ROUTE))
                    .as("the first time, and 10 times again")
                    .isEqualTo(Map.of("/a", 6L, "/b", 5L));
            assertThat(Rules.status(server, "GET /b")).isEqualTo("500");
        }
    }

    /// Java would take these characters for ends of lines.
    @Test
    void pathHasNoLines() {
        try (MemoryServer server = Rules.at("/", rule("^(?:/(.*))$", "/all"), Rules.says("got"))) {
            for (String end : List.of("%C2%85", "%E2%80%A8", "%E2%80%A9")) {
                assertThat(Rules.content(server, "GET /a" + end + "b")).isEqualTo("got /all");
            }
        }
        try (MemoryServer server = Rules.at("/", rule("^/([a-z]+)$", "/x"), Rules.says("got"))) {
            assertThat(Rules.content(server, "GET /a%E2%80%A8")).isEqualTo("got /a%E2%80%A8");
        }
    }

    @Test
    void refusesTargetsThatAreNone() {
        try (MemoryServer server = Rules.at("/", rule("^/(.*)$", "/$1/$1/$1"), Rules.says("got"))) {
            assertThat(Rules.status(server, "GET /" + "a".repeat(4_000))).isEqualTo("414");
        }
        try (MemoryServer server = Rules.at("/", rule("^/(.*)$", "/../$1"), Rules.says("got"))) {
            assertThat(Rules.status(server, "GET /a")).isEqualTo("400");
        }
    }

    @Test
    void endsAPatternThatTakesTooLong() {
        try (MemoryServer server = Rules.at("/", rule("^/.*.*.*.*.*a$", "/b"), Rules.says("got"))) {
            assertThat(Rules.status(server, "GET /" + "a".repeat(120) + "b")).isEqualTo("500");
            assertThat(Rules.content(server, "GET /aaa")).isEqualTo("got /b");
        }
        try (MemoryServer server = Rules.at("/", rule("^/(a|b)*c$", "/b"), Rules.says("got"))) {
            assertThat(Rules.status(server, "GET /" + "ab".repeat(3_900)))
                    .as("deep recursion")
                    .isIn("200", "500");
        }
    }

    /// Clients could fill the log, and a logger may block the loop.
    @Test
    void tellsOfAPatternThatTakesTooLongOnceAMinute() {
        List<String> logged = new ArrayList<>();
        Rewrite rewrite =
                new Rewrite(
                        List.of(new Rewrite.Rule("^/.*.*.*.*.*a$", "/b", true)),
                        message -> {
                            assertThat(StackWalker.getInstance().walk(RewriteTest::isInHandler))
                                    .as("on the loop")
                                    .isFalse();
                            logged.add(message);
                        });
        try (MemoryServer server = Rules.at("/", rewrite, Rules.says("got"))) {
            String slow = "GET /" + "a".repeat(120) + "b";
            assertThat(Rules.status(server, slow)).isEqualTo("500");
            pass(server, Duration.ofSeconds(1));
            assertThat(logged).hasSize(1).first().asString().contains(".*a$", "1 request got 500");
            assertThat(Rules.status(server, slow)).isEqualTo("500");
            assertThat(Rules.status(server, slow)).isEqualTo("500");
            pass(server, Duration.ofSeconds(50));
            assertThat(logged).hasSize(1);
            pass(server, Duration.ofSeconds(10));
            assertThat(logged).hasSize(2).last().asString().contains("2 requests got 500");
            pass(server, Duration.ofMinutes(3));
            assertThat(logged).hasSize(2);
            assertThat(Rules.status(server, slow)).isEqualTo("500");
            pass(server, Duration.ofSeconds(1));
            assertThat(logged).hasSize(3).last().asString().contains("1 request got 500");
        }
    }

    private static void pass(MemoryServer server, Duration time) {
        server.pass(time);
        server.work(); // of the disk's threads
    }

    private static boolean isInHandler(Stream<StackWalker.StackFrame> frames) {
        return frames.anyMatch(frame -> frame.getClassName().equals(Rewrite.class.getName()));
    }

    @ParameterizedTest
    @CsvSource({
        "^/a/(.*)\\.htm$, /b/$1.html, /a/x.htm, /b/x.html",
        "^/a/(.*)$, https://new.example/$1, /a/x/y?q=1, https://new.example/x/y?q=1",
        "^/a/(.*)$, https://new.example/?p=$1&z, /a/x%26y?q, https://new.example/?p=x%26y&z&q",
        "^/a/(.*)$, https://$host/$1, /a/x, https://h.example/x",
        "^/a/(.*)$, /$1, /a/x%20y%3Fz%25%22, /x%20y%3Fz%25%22",
        "^/a, http://new.example:81, /a, http://new.example:81",
        "^/a(.*)$, /$1, /a/evil.example, /evil.example",
        "^/a(?<rest>.*)$, /${rest}, /a/b, /b"
    })
    void redirects(String pattern, String to, String target, String location) {
        Rewrite rewrite = new Rewrite(List.of(new Rewrite.Rule(pattern, to, true, 302)));
        try (MemoryServer server = Rules.at("/", rewrite, Rules.says("got"))) {
            assertThat(Rules.answer(server, "GET " + target))
                    .startsWith("HTTP/1.1 302 ")
                    .contains("\r\nLocation: " + location + "\r\n");
            assertThat(Rules.content(server, "GET /c")).isEqualTo("got /c");
        }
    }

    @Test
    void refusesAnAddressThatIsTooLong() {
        Rewrite.Rule rule = new Rewrite.Rule("^/(.*)$", "/$1/$1/$1", true, 301);
        try (MemoryServer server = Rules.at("/", new Rewrite(List.of(rule)), Rules.says("got"))) {
            assertThat(Rules.status(server, "GET /" + "a".repeat(4_000))).isEqualTo("414");
        }
    }

    /// The client must not choose the host.
    @ParameterizedTest
    @CsvSource({
        "$1, 301",
        "//$1, 301",
        "https://$1/, 301",
        "https://new.example$1, 301",
        "https://new.example:8$1, 301",
        "ftp://new.example/$1, 301",
        "/$1/a b, 301",
        "/a#b, 301",
        "/$2, 301",
        "/$1, 300",
        "/$1, 304"
    })
    void refusesRedirectsThatMakeNoSense(String to, int status) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Rewrite.Rule("^/(.*)$", to, true, status));
    }

    @ParameterizedTest
    @CsvSource({"(a, /b", "a, b", "a, /$1", "(a), /$2", "a, /${x}"})
    void refusesRulesThatMakeNoSense(String pattern, String to) {
        assertThatIllegalArgumentException().isThrownBy(() -> new Rewrite.Rule(pattern, to, true));
    }
}
