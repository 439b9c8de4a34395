package dev.serval.conformance;

import dev.serval.testkit.mode.Mode;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/// Plays every row of every table in every mode and every delivery.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TablesTest {
    private static final List<String> TABLES =
            List.of(
                    "rfc9112-request.txt",
                    "rfc9112-framing.txt",
                    "rfc9112-connection.txt",
                    "rfc9110-semantics.txt",
                    "rfc9110-conditional.txt",
                    "rfc9110-range.txt",
                    "smuggling.txt",
                    "paths.txt",
                    "limits.txt");

    private final Site site = new Site();

    @AfterAll
    void stop() {
        site.close();
    }

    @TestFactory
    Stream<DynamicNode> rows() {
        return TABLES.stream()
                .map(Table::read)
                .map(t -> DynamicContainer.dynamicContainer(t.name(), tests(t)));
    }

    private Stream<DynamicTest> tests(Table table) {
        return table.rows().stream()
                .flatMap(row ->
                        Arrays.stream(Mode.values())
                                .filter(mode -> !(mode.isHttp2() && row.isHttp1()))
                                .flatMap(mode -> tests(row, mode)));
    }

    /// Frames are cut elsewhere, in the tests of their codec.
    private Stream<DynamicTest> tests(Table.Row row, Mode mode) {
        return Arrays.stream(Delivery.values())
                .filter(delivery -> delivery == Delivery.WHOLE || !mode.isHttp2())
                .map(delivery ->
                        DynamicTest.dynamicTest(
                                "%s: %s [%s, %s]"
                                        .formatted(row.section(), row.title(), mode, delivery),
                                () -> Conversation.play(row, site, mode, delivery)));
    }
}
