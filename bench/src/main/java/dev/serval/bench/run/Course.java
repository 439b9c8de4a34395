package dev.serval.bench.run;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.report.PeersResult;
import dev.serval.bench.report.Statistics;
import dev.serval.bench.scenario.Cell;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// The course of one peer through a cell. A peer that fails leaves the cell, and the others continue.
/// Used by one thread.
///
/// @param <R> what a round of the cell returns
final class Course<R> {
    private final String name;
    private final List<R> rounds = new ArrayList<>();
    private String failure = "";

    Course(String name) {
        this.name = name;
    }

    /// A step of the measurement.
    interface Step {
        void take() throws IOException;
    }

    /// Takes turns of so many rounds. The order of the turns rotates, so that a drift of the
    /// machine affects all peers.
    static void inTurn(int rounds, List<Runnable> turns) {
        List<Runnable> order = new ArrayList<>(turns);
        for (int number = 0; number < rounds; number++) {
            order.forEach(Runnable::run);
            Collections.rotate(order, -1);
        }
    }

    /// Takes the step unless the peer has failed.
    void attempt(PrintStream progress, Step step) {
        if (!sound()) {
            return;
        }
        try {
            step.take();
        } catch (IOException | BenchFailure e) {
            failure = String.valueOf(e.getMessage());
            progress.printf("%s failed: %s%n", name, failure);
        }
    }

    String name() {
        return name;
    }

    /// Returns the rounds that count, to be added to.
    List<R> rounds() {
        return rounds;
    }

    boolean sound() {
        return failure.isEmpty();
    }

    String failure() {
        return failure;
    }

    List<Double> each(ToDoubleFunction<R> figure) {
        return rounds.stream().map(figure::applyAsDouble).toList();
    }

    double median(ToDoubleFunction<R> figure) {
        return Statistics.of(each(figure)).median();
    }

    /// What a result with a figure of each course is about.
    ///
    /// @param suffix of the cell's name
    /// @param title after that of the cell
    record Figure(Cell cell, String suffix, String title, String unit) {}

    /// Returns a figure of each round of these courses as a result.
    static <R> PeersResult result(
            Figure about,
            PeersResult.Limit limit,
            String subject,
            List<Course<R>> courses,
            ToDoubleFunction<R> figure,
            List<String> notes) {
        return new PeersResult(
                about.cell().name() + about.suffix(),
                about.cell().title() + about.title(),
                about.unit(),
                limit,
                subject,
                courses.stream().map(course -> course.values(figure)).toList(),
                notes,
                List.of());
    }

    /// Returns a figure of each round for the report.
    PeersResult.PeerValues values(ToDoubleFunction<R> figure) {
        return sound()
                ? new PeersResult.PeerValues(name, each(figure), null)
                : new PeersResult.PeerValues(name, List.of(), failure);
    }
}
