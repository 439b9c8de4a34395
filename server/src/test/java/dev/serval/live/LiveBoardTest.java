package dev.serval.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Serval;
import dev.serval.accesslog.SiteLogs;
import dev.serval.backend.Backends;
import dev.serval.policy.Limits;
import dev.serval.policy.LoadMode;
import dev.serval.settings.AppChoice;
import dev.serval.settings.LrwpChoice;
import dev.serval.site.Applications;
import dev.serval.site.Listening;
import dev.serval.site.LiveSite;
import dev.serval.site.Rules;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What the board makes of the moments that were sampled.
final class LiveBoardTest {
    private static final long MILLI = 1_000_000;

    private final Histories histories = new Histories();
    private final History history = histories.of(Span.TEN_MINUTES);
    private Span shown = Span.TEN_MINUTES;

    private static Moment moment(long second, long requests, long failures, long medianNanos) {
        return moment(second, requests, failures, medianNanos, LoadMode.LIGHT);
    }

    private static Moment moment(
            long second, long requests, long failures, long medianNanos, LoadMode mode) {
        return new Moment(
                second * 1_000,
                1,
                requests,
                failures,
                0,
                medianNanos,
                3 * medianNanos,
                new Moment.State(0, 0, mode));
    }

    private Board board() throws Exception {
        return board(Limits.DEFAULT, 0);
    }

    /// Returns the board of a server that got some requests before.
    private Board board(Limits limits, int requests) throws Exception {
        PrintStream nothing =
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        Applications none = new Applications(nothing, nothing, AppChoice.standard());
        try (Serval server =
                Serval.listen(0).loops(1).limits(limits).withoutFlagWarning().start()) {
            for (int i = 0; i < requests; i++) {
                var _ = RawClient.get(server.addresses().getFirst(), "/");
            }
            Await.until("all have ended", () -> server.metrics().totals("").requests() == requests);
            LiveSite site =
                    new LiveSite(
                            new LiveSite.Running(
                                    server,
                                    none,
                                    new Backends(LrwpChoice.NONE, List.of()),
                                    new Listening(List.of()),
                                    new SiteLogs()),
                            Map.of(),
                            Rules.none(new SiteLogs()),
                            null);
            return new LiveBoard(site, histories, "own", System.nanoTime()).read(shown);
        } finally {
            none.close();
        }
    }

    private static Board.Tile tile(Board board, String id) {
        return board.tiles().stream()
                .filter(tile -> tile.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static Board.Table table(Board board, String id) {
        return board.tables().stream()
                .filter(table -> table.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> texts(List<Board.Cell> row) {
        return row.stream().map(Board.Cell::text).toList();
    }

    @Test
    void refusalsAreApartFromErrorsAndHaveTheirReasonInWords() throws Exception {
        Limits one =
                Limits.DEFAULT.with(draft -> {
                    draft.rate.requests = 1;
                    draft.rate.perNanos = 3_600_000 * MILLI;
                    draft.rate.burst = 1;
                });
        Board board = board(one, 3);
        assertThat(texts(table(board, "refusals").rows().getFirst()))
                .containsExactly("too many requests of one client in a short time", "2");
        assertThat(table(board, "mounts").columns())
                .startsWith("Mount", "Requests", "Refused", "4xx", "5xx");
        assertThat(texts(table(board, "mounts").rows().getFirst()))
                .startsWith("other", "3", "2", "1", "0"); // the first one is 404
    }

    @Test
    void secondsWithoutRequestsDoNotLowerTheMedian() throws Exception {
        history.add(moment(1, 10, 0, 2 * MILLI));
        history.add(moment(2, 0, 0, 0));
        Board board = board();
        assertThat(tile(board, "median").value()).isEqualTo("2.00 ms");
        assertThat(tile(board, "median").note()).isEqualTo("99 %: 6.00 ms");
        assertThat(tile(board, "rate").value()).isEqualTo("5.00");
    }

    @Test
    void secondsCountForTheTimesAsTheirRequestsDo() throws Exception {
        history.add(moment(1, 2_000, 0, 20 * MILLI));
        history.add(moment(2, 2_995, 0, 16 * MILLI));
        history.add(moment(3, 5, 0, 700 * MILLI));
        Board board = board();
        assertThat(tile(board, "median").value()).isEqualTo("16.0 ms");
        assertThat(tile(board, "median").note()).isEqualTo("99 %: 60.0 ms");
    }

    @Test
    void aSecondWithOneRequestIsNotTheTimeOfAll() throws Exception {
        history.add(moment(1, 1, 0, MILLI));
        history.add(moment(2, 9, 0, 30 * MILLI));
        Board board = board();
        assertThat(tile(board, "median").value()).isEqualTo("30.0 ms");
        assertThat(tile(board, "median").note()).isEqualTo("99 %: 90.0 ms");
    }

    @Test
    void tilesAreOfTheLastTenSeconds() throws Exception {
        history.add(moment(1, 10, 10, MILLI));
        for (int i = 2; i < 12; i++) {
            history.add(moment(i, 1, 0, MILLI));
        }
        Board board = board();
        assertThat(tile(board, "rate").value()).isEqualTo("1.00");
        assertThat(tile(board, "failures").tone()).isEqualTo(Board.Tone.GOOD);
        history.add(moment(12, 1, 1, MILLI));
        assertThat(tile(board(), "failures").tone()).isEqualTo(Board.Tone.BAD);
    }

    @Test
    void chartsShowTheSpanAndTilesTheLastSeconds() throws Exception {
        shown = Span.DAY;
        history.add(moment(100_000, 7, 0, MILLI));
        histories.of(Span.DAY).add(moment(20_000, 1, 0, MILLI, LoadMode.HEAVY));
        histories.of(Span.DAY).add(moment(100_000, 1, 0, MILLI));
        Board board = board();
        assertThat(tile(board, "rate").value()).isEqualTo("7.00");
        assertThat(board.charts().getFirst().lines().getFirst().ages()).containsExactly(80_000, 0);
        assertThat(board.modes().stretches())
                .containsExactly(
                        new ModeBand.Stretch(80_144, 80_000, LoadMode.HEAVY),
                        new ModeBand.Stretch(144, 0, LoadMode.LIGHT));
    }

    /// The process may have been stopped for a while.
    @Test
    void chartsHaveNoMomentThatIsOlderThanTenMinutes() throws Exception {
        history.add(moment(0, 1, 0, MILLI));
        history.add(moment(1, 1, 0, MILLI));
        history.add(moment(History.SIZE, 1, 0, MILLI));
        Board.Chart rate = board().charts().getFirst();
        assertThat(rate.lines().getFirst().ages()).containsExactly(History.SIZE - 1, 0);
    }
}
