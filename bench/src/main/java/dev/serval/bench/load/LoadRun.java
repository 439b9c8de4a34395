package dev.serval.bench.load;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.report.BeforeResult;
import dev.serval.bench.report.Figures;
import dev.serval.bench.report.LoadResult;
import dev.serval.bench.report.Round;
import dev.serval.bench.report.Statistics;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Measures a load cell. Each peer is checked and warmed up first. Then the rounds of all peers are
/// interleaved in a rotating order, so that a drift of the machine affects all peers.
final class LoadRun {
    private final Meter meter;
    private final Clients clients;
    private final Settings settings;
    private final PrintStream progress;

    LoadRun(Meter meter, Clients clients, Settings settings, PrintStream progress) {
        this.meter = meter;
        this.clients = clients;
        this.settings = settings;
        this.progress = progress;
    }

    /// The rounds of one peer so far.
    private static final class Course {
        private final RunningPeer peer;
        private final List<Round> rounds = new ArrayList<>();

        /// The last attempt of each round that counts.
        private final List<Round> last = new ArrayList<>();

        private boolean settled;
        private int repeats;
        private String failure = "";

        Course(RunningPeer peer) {
            this.peer = peer;
        }

        boolean sound() {
            return failure.isEmpty();
        }
    }

    /// Measures all peers and compares them.
    LoadResult run(Work work, List<RunningPeer> peers, LoadResult.Comparison comparison) {
        Map<String, Course> courses = new LinkedHashMap<>();
        for (RunningPeer peer : peers) {
            Course course = new Course(peer);
            courses.put(peer.name(), course);
            guarded(course, () -> checkAndWarm(course, work));
        }
        for (int number = 0; number < settings.rounds(); number++) {
            List<Course> order = rotated(List.copyOf(courses.values()), number);
            for (Course course : order) {
                guarded(course, () -> measure(course, work));
            }
        }
        List<Figures> figures = new ArrayList<>();
        List<Round> rounds = new ArrayList<>();
        for (Course course : courses.values()) {
            figures.add(figures(course));
            rounds.addAll(course.rounds);
        }
        Cell.Load cell = work.load();
        LoadResult result =
                LoadResult.of(cell.name(), cell.title(), cell.gate(), comparison, figures, rounds);
        Course subject = courses.get(comparison.subject());
        Course before = courses.get(BeforeResult.PEER);
        return subject == null || before == null ? result : result.with(pairs(subject, before));
    }

    /// Compares the rounds of the same number, because those ran one after the other.
    private BeforeResult pairs(Course subject, Course before) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; subject.sound() && before.sound() && i < settings.rounds(); i++) {
            ratios.add(
                    subject.last.get(i).cpuMicrosPerRequest()
                            / before.last.get(i).cpuMicrosPerRequest());
        }
        return BeforeResult.of(subject.peer.name(), ratios, settings.beforeGate());
    }

    /// Warms up one peer, for cells that measure only the subject.
    ///
    /// @throws BenchFailure if the peer answers wrongly
    void warm(Work work, RunningPeer peer) throws IOException {
        Course course = new Course(peer);
        checkAndWarm(course, work);
    }

    /// Measures one counted round. A disturbed round is repeated, up to the limit.
    List<Round> measured(Work work, RunningPeer peer) throws IOException {
        Course course = new Course(peer);
        measure(course, work);
        return course.rounds;
    }

    private void checkAndWarm(Course course, Work work) throws IOException {
        Client.Target target = work.target(course.peer.port());
        Optional<String> fault = AnswerCheck.fault(target);
        if (fault.isPresent()) {
            throw new BenchFailure(fault.get());
        }
        double last = Double.NaN;
        for (int number = 0; number < settings.warmUpsMax() && !course.settled; number++) {
            Round round = round(course, work, Round.Phase.WARM_UP);
            double micros = round.cpuMicrosPerRequest();
            course.settled = Statistics.near(micros, last, settings.settledShare());
            last = micros;
        }
    }

    private void measure(Course course, Work work) throws IOException {
        Round round = round(course, work, Round.Phase.MEASURED);
        while (round.disturbed() && course.repeats < settings.repeatsMax()) {
            course.repeats++;
            round = round(course, work, Round.Phase.MEASURED);
        }
        course.last.add(round);
    }

    private Round round(Course course, Work work, Round.Phase phase) throws IOException {
        Client client = clients.of(work.load().client());
        Round round = meter.round(course.peer, client, work, phase);
        course.rounds.add(round);
        progress.printf(
                "%s  %-16s %-8s %8.2f µs/request %9.0f requests/s%s%s%n",
                work.load().name(),
                course.peer.name(),
                phase == Round.Phase.WARM_UP ? "warm-up" : "round",
                round.cpuMicrosPerRequest(),
                round.requestsPerSecond(),
                round.errors() > 0 ? "  " + round.errors() + " errors" : "",
                round.disturbed() ? "  disturbed" : "");
        if (round.errors() > 0) {
            throw new BenchFailure(round.errors() + " errors in a round");
        }
        return round;
    }

    /// A step for one peer.
    private interface Step {
        void take() throws IOException;
    }

    /// Takes the step unless the peer has failed. A failing peer leaves the cell, and the others
    /// continue.
    private void guarded(Course course, Step step) {
        if (!course.sound()) {
            return;
        }
        try {
            step.take();
        } catch (IOException | BenchFailure e) {
            course.failure = String.valueOf(e.getMessage());
            progress.printf("%s failed: %s%n", course.peer.name(), course.failure);
        }
    }

    private Figures figures(Course course) {
        return course.sound()
                ? Figures.of(course.peer.name(), course.rounds, settings.rounds(), course.settled)
                : Figures.failed(course.peer.name(), course.failure);
    }

    private static <T> List<T> rotated(List<T> list, int by) {
        int cut = by % list.size();
        List<T> rotated = new ArrayList<>(list.subList(cut, list.size()));
        rotated.addAll(list.subList(0, cut));
        return rotated;
    }
}
