package dev.serval.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The result of a cell in which several peers had the same load.
///
/// @param ratio the subject's CPU time per request ÷ the reference's, rounded to two decimals; NaN
///     if there is none
/// @param bytesRatio the subject's bytes per second ÷ the reference's, rounded likewise
/// @param floorRatio the subject's CPU time per request ÷ the floor's, or NaN if there is no floor
/// @param reference the cheapest of the reference peers in this cell, or null if none was measured
/// @param rounds all rounds, including warm-up and disturbed ones
/// @param before the comparison with an earlier build, or null if there was none
/// @param published figures of a paper
public record LoadResult(
        String cell,
        String title,
        Gate gate,
        List<Figures> figures,
        double ratio,
        double bytesRatio,
        double floorRatio,
        @Nullable String reference,
        boolean subjectFailed,
        List<Round> rounds,
        @Nullable BeforeResult before,
        @JsonProperty("published") List<Published> published)
        implements CellResult {
    /// The end of the title of a load whose client sends at planned instants.
    private static final String PLANNED = " by httperf";

    /// Finds figures that say nothing, in results of earlier versions, too.
    public LoadResult {
        figures = valid(title, figures);
    }

    /// Returns the figures of a closed load with those of clients that hang as failed. A planned rate may
    /// be as low.
    private static List<Figures> valid(String title, List<Figures> figures) {
        boolean planned = title.endsWith(PLANNED);
        return planned ? figures : figures.stream().map(Figures::orVoid).toList();
    }

    /// The peers of a comparison.
    ///
    /// @param references peers: the cheapest of them in the cell counts
    /// @param floor the peer that does the least work, or null
    public record Comparison(String subject, List<String> references, @Nullable String floor) {}

    /// Compares these figures.
    public static LoadResult of(
            String cell,
            String title,
            Gate gate,
            Comparison comparison,
            List<Figures> measured,
            List<Round> rounds) {
        List<Figures> figures = valid(title, measured);
        Optional<Figures> subject = of(figures, comparison.subject());
        Optional<Figures> reference =
                figures.stream()
                        .filter(f -> comparison.references().contains(f.peer()))
                        .filter(f -> f.failure() == null && f.cpuMicros().isKnown())
                        .min(Comparator.comparingDouble(f -> f.cpuMicros().median()));
        Optional<Figures> sound = subject.filter(f -> f.failure() == null);
        Optional<Figures> floor = of(figures, comparison.floor()).filter(f -> f.failure() == null);
        return new LoadResult(
                cell,
                title,
                gate,
                figures,
                ratio(sound, reference, f -> f.cpuMicros().median()),
                ratio(sound, reference, Figures::bytesPerSecond),
                ratio(sound, floor, f -> f.cpuMicros().median()),
                reference.map(Figures::peer).orElse(null),
                subject.isPresent() && sound.isEmpty(),
                rounds,
                null,
                List.of());
    }

    /// Returns a figure ÷ that of another peer, rounded to two decimals; NaN if one of them is
    /// missing.
    private static double ratio(
            Optional<Figures> one, Optional<Figures> other, ToDoubleFunction<Figures> figure) {
        if (one.isEmpty() || other.isEmpty()) {
            return Double.NaN;
        }
        double ratio = figure.applyAsDouble(one.get()) / figure.applyAsDouble(other.get());
        return Double.isFinite(ratio) ? Math.round(ratio * 100) / 100.0 : Double.NaN;
    }

    /// Returns the figures of a peer, if it took part.
    public Optional<Figures> of(String peer) {
        return of(figures, peer);
    }

    private static Optional<Figures> of(List<Figures> figures, @Nullable String peer) {
        return figures.stream().filter(f -> f.peer().equals(peer)).findFirst();
    }

    /// Returns this result with the comparison with an earlier build.
    public LoadResult with(BeforeResult comparison) {
        return with(comparison, published);
    }

    /// Returns this result with figures of a paper.
    public LoadResult beside(List<Published> figuresOfPaper) {
        return with(before, figuresOfPaper);
    }

    private LoadResult with(@Nullable BeforeResult comparison, List<Published> figuresOfPaper) {
        return new LoadResult(
                cell,
                title,
                gate,
                figures,
                ratio,
                bytesRatio,
                floorRatio,
                reference,
                subjectFailed,
                rounds,
                comparison,
                figuresOfPaper);
    }

    @Override
    @JsonProperty("verdict")
    public Verdict verdict() {
        if (subjectFailed || isSlower()) {
            return Verdict.FAIL;
        }
        if (Double.isNaN(ratio)) {
            return Verdict.NONE;
        }
        boolean kept = ratio <= gate.ratio() && bytesRatio >= gate.bytesPerSecond();
        return kept ? Verdict.PASS : Verdict.FAIL;
    }

    private boolean isSlower() {
        return before != null && before.change() == BeforeResult.Change.SLOWER;
    }

    /// Returns whether the aim is reached.
    @JsonProperty("aimVerdict")
    public Verdict aimVerdict() {
        if (Double.isNaN(ratio)) {
            return Verdict.NONE;
        }
        return ratio <= gate.aim() ? Verdict.PASS : Verdict.MISS;
    }

    /// Returns this result with peers that could not even be started.
    public LoadResult with(List<Figures> failed, Comparison comparison) {
        if (failed.isEmpty()) {
            return this;
        }
        List<Figures> all = Stream.concat(figures.stream(), failed.stream()).toList();
        LoadResult result = of(cell, title, gate, comparison, all, rounds);
        return before == null ? result : result.with(before);
    }

    @Override
    public Model model() {
        return title.endsWith(PLANNED) ? Model.OPEN : Model.CLOSED;
    }

    @Override
    public List<? extends OfPeer> parts() {
        return figures;
    }

    @Override
    public List<Row> rows() {
        return List.of(
                new Row(
                        cell,
                        Row.CPU,
                        "µs",
                        Row.Better.LOWER,
                        values(Round::cpuMicrosPerRequest, Figures::cpuMicros)),
                new Row(
                        cell,
                        Row.RATE,
                        "1/s",
                        Row.Better.HIGHER,
                        values(
                                Round::requestsPerSecond,
                                f -> Statistics.one(f.requestsPerSecond()))),
                new Row(
                        cell,
                        "p99",
                        "ms",
                        Row.Better.LOWER,
                        values(
                                round -> round.p99Micros() / 1e3,
                                f -> Statistics.one(f.p99Micros() / 1e3))));
    }

    @Override
    public Map<String, Statistics> bothMicros() {
        return values(Round::bothMicrosPerRequest, _ -> Statistics.NONE);
    }

    /// Returns the CPU time of the client's processor per request in microseconds, by the peers whose
    /// is known.
    public Map<String, Statistics> clientMicros() {
        return values(Round::clientMicrosPerRequest, _ -> Statistics.NONE);
    }

    /// Returns whether a round had so little CPU time, below 100 ms, that the kernel's steps of 10 ms show.
    public boolean isRough(Figures of) {
        return of.counted(rounds).stream().anyMatch(round -> round.cpuNanos() < 100_000_000);
    }

    /// Returns a figure of each peer.
    ///
    /// @param kept the figure in a file from which the rounds were removed
    private Map<String, Statistics> values(
            ToDoubleFunction<Round> figure, Function<Figures, Statistics> kept) {
        return OfPeer.values(
                figures,
                of -> {
                    List<Round> counted = of.counted(rounds);
                    return counted.isEmpty()
                            ? kept.apply(of)
                            : Statistics.of(Figures.each(counted, figure));
                });
    }
}
