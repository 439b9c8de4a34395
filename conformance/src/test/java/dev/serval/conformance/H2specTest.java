package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Runs h2spec, a test suite of others for RFC 9113 and RFC 7541. Many of its cases leave the content of
/// a request open and break a rule after it. The handler answers after the content, because a stream
/// that the server has answered and reset ignores what follows (RFC 9113 §5.1).
final class H2specTest {
    private static final String PREFACE = "2: Sends invalid connection preface";

    /// A cross, the number of a case and its title.
    private static final Pattern CASE = Pattern.compile(" +[^ \\d]+ (\\d+: .+)");

    @Test
    void passesOverTls() {
        try (Served server =
                Served.bare(b -> b.listen(Served.tls()).mount("/", Answers::afterContent))) {
            Programs.Run run =
                    h2spec("-h", "localhost", "-p", String.valueOf(server.port()), "-t", "-k");
            assertThat(failed(run)).as(run.out()).isEmpty();
            assertThat(run.out()).contains("145 tests, ", " 0 skipped, ");
        }
    }

    /// A wrong preface is a request of HTTP/1.1, which the same port serves. It is answered 400 in
    /// HTTP/1.1, and h2spec expects no answer.
    @Test
    void passesWithPriorKnowledgeButForAWrongPreface() {
        try (Served server = Served.bare(b -> b.listen(0).mount("/", Answers::afterContent))) {
            Programs.Run run = h2spec("-h", "127.0.0.1", "-p", String.valueOf(server.port()));
            assertThat(failed(run)).as(run.out()).containsExactly(PREFACE);
            assertThat(run.out()).contains("145 tests, ", " 0 skipped, ");
        }
    }

    private static Programs.Run h2spec(String... arguments) {
        return Programs.runIfFound("h2spec", "(.ci/h2spec; CI installs it)", arguments);
    }

    /// Returns the titles of the cases that failed, from the list at the end.
    private static List<String> failed(Programs.Run run) {
        String all = run.out();
        int list = all.indexOf("Failures:");
        return list < 0
                ? List.of()
                : all.substring(list)
                        .lines()
                        .map(CASE::matcher)
                        .filter(Matcher::matches)
                        .map(line -> line.group(1))
                        .toList();
    }
}
