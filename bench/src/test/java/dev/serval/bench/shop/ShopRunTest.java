package dev.serval.bench.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.Protocol;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.TableResult;
import dev.serval.bench.report.Verdict;
import dev.serval.bench.scenario.Settings;
import dev.serval.bench.scenario.ShopCell;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Lets a few browsers use the example shop of a server in a process of its own. The test checks that
/// all answers and the database are right, not how fast they came.
@Tag("long")
@Timeout(240)
final class ShopRunTest {
    private static final Path WAR = Path.of("..").resolve(ShopWar.BUILT);
    private static final Path SERVER = Path.of("..", "server", "target", "serval.jar");

    private static final ShopCell.Limit NONE = new ShopCell.Limit(0, 0, 0);

    private List<String> configuration = List.of();

    /// @param answerSeconds the time for an interaction
    /// @param halvings after a trial that does not pass
    private static ShopCell cell(Protocol protocol, int users, double answerSeconds, int halvings) {
        ShopCell.Extent extent = new ShopCell.Extent(100, 100, 20, 1, 3, halvings);
        return new ShopCell(
                "few",
                "a few users",
                List.of(),
                protocol,
                ShopCell.Mix.ORDERING,
                ShopCell.Store.H2,
                0.1,
                0,
                0,
                2,
                answerSeconds,
                0.9,
                users,
                users,
                extent,
                extent,
                extent,
                new ShopCell.Gates(0, 0, NONE, NONE),
                List.of());
    }

    /// Returns the lines of the configuration of Serval that limit its pages at work.
    private static List<String> configuration(Stage stage) throws IOException {
        Path file = stage.folder().resolve("serval").resolve("serval.toml");
        return Files.exists(file)
                ? Files.readAllLines(file).stream()
                        .filter(line -> line.contains("workers"))
                        .toList()
                : List.of();
    }

    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            names = {"HTTP", "HTTPS"})
    void usersBuyBooksAndTheDatabaseIsRight(Protocol protocol) throws IOException {
        assertThat(run(cell(protocol, 4, 30, 0)))
                .contains("few: starting serval")
                .containsPattern("4 users: +\\d+\\.\\d % in time")
                .doesNotContain("failed, first");
        assertThat(configuration).isEqualTo(List.of("workers = 200"));
    }

    /// No answer comes within a nanosecond. The same users come to the second server, with new names.
    @Test
    void serverIsStartedAgainAfterATrialThatItFailed() throws IOException {
        assertThat(run(cell(Protocol.HTTP, 40, 1e-9, 1)).lines().toList())
                .extracting(line -> line.replaceAll(" users: .*", ""))
                .containsExactly(
                        "few: making a database of 100 books and 100 customers",
                        "few: starting serval",
                        "few: serval      40",
                        "few: starting serval again, after a trial that it failed",
                        "few: serval      20");
    }

    /// Measures Serval.
    ///
    /// @return what the run said
    private String run(ShopCell cell) throws IOException {
        assumeThat(WAR).as("needs the example shop: mvn package").isRegularFile();
        assumeThat(SERVER).as("needs the server: mvn package").isRegularFile();
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        Proc proc = new Proc(Path.of("/proc"));
        try (Stage stage = Stage.create(Map.of(), Cpus.unpinned(proc.allowedCpus()));
                PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
            ShopRun.Place place = new ShopRun.Place(stage, proc, Settings.QUICK, out);
            TableResult result =
                    (TableResult)
                            new ShopRun(place, cell, "serval", WAR)
                                    .run(List.of(new ServalPeer(SERVER, List.of())))
                                    .getFirst();
            assertThat(result.gaps()).isEmpty();
            assertThat(result.verdict()).isEqualTo(Verdict.NONE); // no other server
            configuration = configuration(stage);
            return said.toString(StandardCharsets.UTF_8);
        }
    }
}
