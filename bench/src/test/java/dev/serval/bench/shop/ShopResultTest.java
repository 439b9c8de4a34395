package dev.serval.bench.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.load.Fate;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.report.Gap;
import dev.serval.bench.report.Row;
import dev.serval.bench.report.Statistics;
import dev.serval.bench.report.TableResult;
import dev.serval.bench.report.Verdict;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.scenario.ShopCell;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ShopResultTest {
    private static final Cpus CPUS = new Cpus(Set.of(0, 1), Set.of(0), Set.of(1), true);

    private static ShopCell cell() throws IOException {
        return (ShopCell) Scenario.named("shop").cells().getFirst();
    }

    /// A trial of ten seconds with home pages of 100 ms, and CPU time in seconds.
    private static ShopTrial trial(
            int users, boolean passes, Fate fate, double server, double database) {
        ShopTally tally = new ShopTally(2_000_000_000);
        tally.begins(0);
        tally.ended(Interaction.HOME, Fate.RIGHT, 100_000_000, "");
        tally.ended(Interaction.HOME, fate, 100_000_000, "a reason");
        tally.close(10);
        double idle = 20 - server - database - 1;
        return new ShopTrial(
                users, tally, new ShopTrial.Cost(10, server, database, 1, idle, CPUS), passes, 120);
    }

    private static ShopServer server(String name, int passed, int failed, double serverCpu) {
        return new ShopServer(
                name,
                new UserSearch(passed, failed),
                List.of(
                        trial(100, true, Fate.RIGHT, 1, 1),
                        trial(passed, true, Fate.RIGHT, 5, 2),
                        trial(failed, false, Fate.RIGHT, serverCpu, 2)),
                List.of(),
                "");
    }

    private static ShopResult result(ShopServer... servers) throws IOException {
        ShopCell cell = cell();
        return new ShopResult(cell, cell.quick(), "serval", List.of(servers), List.of());
    }

    @Test
    void remarkSaysThatTheGeneratorEndedTheSearch() throws IOException {
        ShopTally late = new ShopTally(1);
        late.begins(200_000_000);
        late.close(10);
        ShopTrial trial =
                new ShopTrial(200, late, new ShopTrial.Cost(10, 5, 1, 1, 13, CPUS), false, 0);
        ShopServer own =
                new ShopServer(
                        "serval",
                        new UserSearch(100, 200),
                        List.of(trial(100, true, Fate.RIGHT, 5, 1), trial),
                        List.of(),
                        "");
        ShopResult result = result(own, server("tomcat", 1000, 2000, 9.5));
        assertThat(own.end()).isEqualTo("the generator, which sent late");
        assertThat(result.table().remarks())
                .contains(
                        "shopping: the search of serval was ended by the generator, which sent late,"
                                + " not by the server");
    }

    @ParameterizedTest
    @CsvSource({
        "9.5, 8.5, 1, the server's CPU, false",
        "5, 8.5, 6, the client's CPU: the database, true",
        "5, 1, 14, no CPU, false",
        "5, 1, 3, other programs, true",
    })
    void endNamesWhatWasAtItsEnd(
            double server, double database, double idle, String end, boolean generator) {
        ShopTally tally = new ShopTally(1);
        tally.begins(0);
        ShopTrial trial =
                new ShopTrial(
                        1,
                        tally,
                        new ShopTrial.Cost(10, server, database, 0.5, idle, CPUS),
                        false,
                        0);
        assertThat(trial.end()).isEqualTo(end);
        assertThat(trial.isOfTheGenerator()).isEqualTo(generator);
    }

    /// A server without CPU left is at its end, although the generator, on the same machine, was late.
    @Test
    void lateGeneratorDoesNotExcuseAServerWithoutCpuLeft() {
        ShopTally late = new ShopTally(1);
        late.begins(200_000_000);
        late.close(10);
        ShopTrial trial =
                new ShopTrial(200, late, new ShopTrial.Cost(10, 9.5, 1, 1, 8.5, CPUS), false, 0);
        assertThat(trial.end()).isEqualTo("the server's CPU");
        assertThat(trial.isOfTheGenerator()).isFalse();
    }

    @Test
    void resultSaysHowTheBrowsersAskAndWhatThePaperFound() throws IOException {
        TableResult table =
                result(server("serval", 900, 0, 9.5), server("tomcat", 600, 800, 9.5)).table();
        assertThat(table.remarks().getFirst()).contains("; plain HTTP; ");
        assertThat(table.remarks())
                .contains(
                        "shopping: users ÷ the most, in the paper: Grizzly 1.00, Tomcat APR 0.74,"
                                + " Tomcat HTTP11 0.56");
        assertThat(table.tables().values().iterator().next().rows())
                .extracting(row -> row.get(2))
                .containsExactly("≥ 1.00", "0.67");
        ShopCell encrypted =
                Scenario.named("shop").cells().stream()
                        .map(ShopCell.class::cast)
                        .filter(cell -> cell.protocol().tls())
                        .findFirst()
                        .orElseThrow();
        ShopResult tls =
                new ShopResult(
                        encrypted,
                        encrypted.quick(),
                        "serval",
                        List.of(server("serval", 900, 1000, 9.5)),
                        List.of());
        assertThat(tls.table().remarks().getFirst()).contains("; HTTP over TLS; ");
    }

    @Test
    void wrongAnswerFailsTheServer() throws IOException {
        ShopServer wrong =
                new ShopServer(
                        "serval",
                        new UserSearch(100, 200),
                        List.of(
                                trial(100, true, Fate.WRONG, 5, 1),
                                trial(200, false, Fate.RIGHT, 9.5, 1)),
                        List.of(),
                        "");
        TableResult table = result(wrong, server("tomcat", 10, 20, 9.5)).table();
        assertThat(table.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(table.gaps())
                .containsExactly(
                        Gap.failed(
                                "shopping",
                                "serval",
                                "1 of 4 answers were wrong, first home: wrong, a reason"));
        assertThat(table.rows().getFirst().values()).containsOnlyKeys("tomcat");
    }

    @Test
    void wrongAnswerBeforeTheTrialsFailsTheServer() throws IOException {
        ShopServer one = server("serval", 100, 200, 9.5); // three trials of two interactions
        ShopTally aside = new ShopTally(1);
        aside.ended(Interaction.HOME, Fate.TIMEOUT, 1, "");
        ShopServer slow =
                new ShopServer(
                        "serval", one.users(), one.trials(), List.of(new ShopTally(1), aside), "");
        assertThat(slow.isRight()).isTrue();
        aside.ended(Interaction.HOME, Fate.WRONG, 1, "status 500");
        aside.ended(Interaction.NEW_PRODUCTS, Fate.WRONG, 1, "status 404");
        TableResult table = result(slow).table();
        assertThat(table.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(table.gaps())
                .containsExactly(
                        Gap.failed(
                                "shopping",
                                "serval",
                                "2 of 9 answers were wrong, first home: wrong, status 500"));
    }

    @Test
    void databaseThatDoesNotAgreeFailsTheServer() throws IOException {
        ShopServer one = server("serval", 100, 200, 9.5);
        ShopServer wrong =
                new ShopServer(
                        "serval", one.users(), one.trials(), List.of(), "1 book is too many");
        TableResult table = result(wrong).table();
        assertThat(table.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(table.gaps().getFirst().why()).isEqualTo("1 book is too many");
    }

    @Test
    void rowsHaveTheBoundsAndTheTimesAtTheSameUsers() throws IOException {
        TableResult table =
                result(server("serval", 900, 1000, 9.5), server("tomcat", 700, 800, 9.5)).table();
        Row users = table.rows().getFirst();
        assertThat(users.measure()).isEqualTo(table.published().getFirst().measure());
        assertThat(users.values()).containsEntry("serval", new Statistics(900, 900, 999));
        assertThat(table.rows().getLast().measure())
                .isEqualTo("90 % of the interactions, at 100 users");
        assertThat(table.rows().getLast().values())
                .hasEntrySatisfying(
                        "tomcat", time -> assertThat(time.median()).isBetween(99.0, 101.0));
    }

    /// With other users than 100, the first table compares nothing, so there is one for 100 users.
    @Test
    void interactionsAreShownAtTheMostUsersAndAtTheSame() throws IOException {
        ShopServer slow =
                new ShopServer(
                        "jetty",
                        new UserSearch(100, 200),
                        List.of(
                                trial(100, true, Fate.RIGHT, 1, 1),
                                trial(200, false, Fate.RIGHT, 9.5, 1)),
                        List.of(),
                        "");
        TableResult table = result(server("serval", 900, 1000, 9.5), slow).table();
        String most = "Interactions of shopping at the most users, p50 / p90 / p99 in ms";
        String same = "Interactions of shopping at the same 100 users, p50 / p90 / p99 in ms";
        assertThat(table.tables())
                .hasEntrySatisfying(
                        most, one -> assertThat(one.header()).contains("serval, 900", "jetty, 100"))
                .hasEntrySatisfying(
                        same,
                        one ->
                                assertThat(one.header())
                                        .endsWith("limit of p90", "serval, 100", "jetty, 100"));
        assertThat(result(slow).table().tables()).doesNotContainKey(same);
    }

    @Test
    void verdictIsThatOfTheComparisonWithServersThatAreRight() throws IOException {
        ShopServer own = server("serval", 900, 1000, 9.5);
        ShopServer more = server("tomcat", 2000, 3000, 9.5);
        assertThat(result(own, more).verdict()).isEqualTo(Verdict.FAIL);
        assertThat(result(own, more).table().remarks()).contains("shopping: most users: fail");
        ShopServer wrong =
                new ShopServer("tomcat", more.users(), more.trials(), List.of(), "1 book");
        assertThat(result(own, wrong).verdict()).isEqualTo(Verdict.NONE);
    }
}
