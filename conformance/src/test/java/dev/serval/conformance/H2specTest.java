package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Folder;
import dev.serval.testkit.TempTree;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// Runs h2spec, a test suite of others for RFC 9113 and RFC 7541.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class H2specTest {
    private static final String INSTALL =
            "go install github.com/summerwind/h2spec/cmd/h2spec@v2.2.1+incompatible";

    /// A cross, the number of a case and its title.
    private static final Pattern CASE = Pattern.compile(" +[^ \\d]+ (\\d+: .+)");

    private final TempTree tree = TempTree.create();

    H2specTest() {
        tree.file("index.html", "x".repeat(4000));
    }

    @AfterAll
    void delete() {
        tree.close();
    }

    @Test
    void passesOverTls() {
        try (Served server =
                Served.bare(b -> b.listen(Served.tls()).mount("/", Folder.of(tree.root())))) {
            Programs.Run run =
                    h2spec("-h", "localhost", "-p", String.valueOf(server.port()), "-t", "-k");
            assertThat(failed(run)).as(run.out()).isEmpty();
            assertThat(run.out()).contains("145 tests, 145 passed, 0 skipped, 0 failed");
        }
    }

    /// A wrong preface is a request of HTTP/1.1, which the same port serves. It is answered 400 in
    /// HTTP/1.1, and h2spec expects no answer.
    @Test
    void passesWithPriorKnowledgeButForAWrongPreface() {
        try (Served server = Served.bare(b -> b.listen(0).mount("/", Folder.of(tree.root())))) {
            Programs.Run run = h2spec("-h", "127.0.0.1", "-p", String.valueOf(server.port()));
            assertThat(failed(run)).as(run.out()).contains(PREFACE).isSubsetOf(PREFACE, SELDOM);
            assertThat(run.out()).contains("145 tests, ", " 0 skipped, ");
        }
    }

    private static Programs.Run h2spec(String... arguments) {
        return Programs.runIfFound("h2spec", INSTALL, arguments);
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
