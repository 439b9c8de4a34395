package dev.serval.bench.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.load.Fate;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.report.Verdict;
import dev.serval.bench.scenario.ShopCell;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ShopJudgeTest {
    private static final Cpus CPUS = new Cpus(Set.of(0, 1), Set.of(0), Set.of(1), true);
    private static final ShopCell.Gates GATES =
            new ShopCell.Gates(
                    1, 1.1, new ShopCell.Limit(1, 0.3, 0.9), new ShopCell.Limit(1, 0.05, 1));
    private static final boolean LATE = true;

    /// @param late whether the generator was at its end
    private static ShopTrial trial(int users, boolean passes, long millis, int mb, boolean late) {
        ShopTally tally = new ShopTally(2_000_000_000);
        tally.begins(late ? 200_000_000 : 0);
        tally.ended(Interaction.HOME, Fate.RIGHT, 1_000_000 * millis, "");
        tally.close(10);
        return new ShopTrial(users, tally, new ShopTrial.Cost(10, 5, 1, 1, 13, CPUS), passes, mb);
    }

    private static ShopTrial passed(int users, long millis, int megabytes) {
        return trial(users, true, millis, megabytes, !LATE);
    }

    /// @param trials that passed, the last one with the most users
    private static ShopServer server(String name, ShopTrial failed, ShopTrial... trials) {
        List<ShopTrial> all = new ArrayList<>(List.of(trials));
        all.add(failed);
        return new ShopServer(
                name,
                new UserSearch(trials[trials.length - 1].users(), failed.users()),
                all,
                List.of(),
                "");
    }

    private static ShopTrial failed(int users) {
        return trial(users, false, 3000, 0, !LATE);
    }

    private static List<String> texts(ShopServer own, ShopServer... others) {
        return new ShopJudge(GATES, own, List.of(others))
                .parts().stream().map(ShopJudge.Part::text).toList();
    }

    private static Verdict verdict(ShopServer own, ShopServer... others) {
        return ShopJudge.Part.worst(new ShopJudge(GATES, own, List.of(others)).parts());
    }

    @ParameterizedTest
    @CsvSource({
        "900, 1000, 1000, FAIL", // 1,000 users of another passed, and not of the subject
        "900, 1001, 1000, MISS",
        "1000, 1100, 1000, MISS",
        "1000, 1101, 1000, PASS",
    })
    void mustHaveAsManyUsersAsTheBestOther(int passed, int failed, int other, Verdict verdict) {
        assertThat(
                        verdict(
                                server("serval", failed(failed), passed(passed, 8, 50)),
                                server("tomcat", failed(2 * other), passed(other, 10, 50)),
                                server("jetty", failed(other), passed(other / 2, 10, 50))))
                .isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({
        "8, 100, PASS",
        "10, 100, MISS", // above the aim
        "13, 100, MISS", // within the spread of a trial
        "14, 100, FAIL",
        "8, 101, MISS",
        "8, 106, FAIL",
    })
    void mustNotWaitLongerNorNeedMoreMemory(long millis, int megabytes, Verdict verdict) {
        assertThat(
                        verdict(
                                server("serval", failed(400), passed(200, millis, megabytes)),
                                server("tomcat", failed(300), passed(200, 10, 100))))
                .isEqualTo(verdict);
    }

    /// With 100 users, where the weakest server ends, the subject is best. With 200, another one is.
    @Test
    void timesAndMemoryAreComparedAtTheMostUsersOfEachPair() {
        ShopServer own =
                server(
                        "serval",
                        failed(800),
                        passed(100, 1, 50),
                        passed(200, 20, 50),
                        passed(400, 90, 500));
        ShopServer weak = server("grizzly", failed(200), passed(100, 500, 900));
        ShopServer good = server("tomcat", failed(400), passed(100, 5, 90), passed(200, 10, 90));
        assertThat(verdict(own, weak)).isEqualTo(Verdict.PASS);
        assertThat(verdict(own, weak, good)).isEqualTo(Verdict.FAIL);
        assertThat(texts(own, weak, good))
                .containsExactly(
                        "p90 in ms at 100 users, serval 1.0, grizzly 500: pass",
                        "MB at 100 users, serval 50.0, grizzly 900: pass",
                        "p90 in ms at 200 users, serval 20.0, tomcat 10.0: fail",
                        "MB at 200 users, serval 50.0, tomcat 90.0: pass",
                        "most users: pass");
    }

    @ParameterizedTest
    @CsvSource({"8, PASS", "12, MISS", "14, FAIL"})
    void onlyTimesAndMemoryCountIfTheGeneratorEndedTheSearch(long millis, Verdict verdict) {
        ShopServer own =
                server("serval", trial(200, false, 3000, 0, LATE), passed(100, millis, 50));
        ShopServer other =
                server("tomcat", failed(2000), passed(100, 10, 50), passed(1000, 10, 50));
        assertThat(verdict(own, other)).isEqualTo(verdict);
        assertThat(texts(own, other)).endsWith("most users: –");
    }

    @Test
    void disturbedTrialIsNotCompared() {
        ShopServer own = server("serval", failed(300), trial(200, true, 90, 900, LATE));
        ShopServer other = server("tomcat", failed(220), passed(200, 10, 50));
        assertThat(verdict(own, other)).isEqualTo(Verdict.PASS);
        assertThat(texts(own, other))
                .startsWith("no undisturbed trial with as many users as tomcat: –");
    }

    @Test
    void nothingIsComparedWithoutAnotherServer() {
        ShopServer own = server("serval", failed(200), passed(100, 10, 50));
        assertThat(verdict(own)).isEqualTo(Verdict.NONE);
        assertThat(texts(own)).isEmpty();
    }
}
