package dev.serval.bench.report;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// One peer's figures in one cell, computed from its rounds.
///
/// @param cpuMicros server CPU time per request in microseconds
/// @param p99Micros median of the rounds' 99th percentiles, or NaN if the client has none
/// @param disturbed whether disturbed rounds count, because there were too few quiet ones
/// @param failure why the figures are not valid, or null if they are
public record Figures(
        String peer,
        Statistics cpuMicros,
        double requestsPerSecond,
        double bytesPerSecond,
        double p99Micros,
        int rounds,
        boolean disturbed,
        boolean settled,
        @Nullable String failure)
        implements CellResult.OfPeer {
    /// With fewer answers in a second, the clients wait for something else than the server's work.
    private static final double REQUESTS_MIN = 50;

    /// Returns these figures, failed if they say nothing of a server because its clients hang.
    Figures orVoid() {
        return failure != null || requestsPerSecond >= REQUESTS_MIN
                ? this
                : failed(
                        peer,
                        "only %.1f requests per second, because its clients wait and it does nothing"
                                .formatted(requestsPerSecond));
    }

    /// Computes the figures of a peer's measured rounds. Disturbed rounds count only if fewer than
    /// `wanted` are quiet. One error in any round, including the warm-up, fails the cell, because
    /// the speed of wrong answers means nothing.
    public static Figures of(String peer, List<Round> rounds, int wanted, boolean settled) {
        List<Round> measured = measured(rounds);
        List<Round> quiet = quiet(measured);
        boolean enough = quiet.size() >= wanted;
        List<Round> counted = enough ? quiet : measured;
        long errors = rounds.stream().mapToLong(Round::errors).sum();
        String failure = null;
        if (errors > 0) {
            failure = errors + " errors";
        } else if (counted.isEmpty() || counted.stream().anyMatch(r -> r.requests() == 0)) {
            failure = "no requests answered";
        }
        return new Figures(
                peer,
                Statistics.of(each(counted, Round::cpuMicrosPerRequest)),
                Statistics.of(each(counted, Round::requestsPerSecond)).median(),
                Statistics.of(each(counted, Round::bytesPerSecond)).median(),
                Statistics.of(each(counted, Round::p99Micros)).median(),
                counted.size(),
                !enough,
                settled,
                failure);
    }

    /// Returns the figures of a peer that could not be measured.
    public static Figures failed(String peer, String failure) {
        Statistics none = Statistics.of(List.of());
        return new Figures(
                peer, none, Double.NaN, Double.NaN, Double.NaN, 0, false, false, failure);
    }

    /// Returns those of a cell's rounds that count for this peer.
    List<Round> counted(List<Round> all) {
        List<Round> own = measured(all.stream().filter(r -> r.peer().equals(peer)).toList());
        return disturbed ? own : quiet(own);
    }

    private static List<Round> measured(List<Round> rounds) {
        return rounds.stream().filter(r -> r.phase() == Round.Phase.MEASURED).toList();
    }

    private static List<Round> quiet(List<Round> rounds) {
        return rounds.stream().filter(r -> !r.disturbed()).toList();
    }

    static List<Double> each(List<Round> rounds, ToDoubleFunction<Round> figure) {
        return rounds.stream().map(figure::applyAsDouble).toList();
    }
}
