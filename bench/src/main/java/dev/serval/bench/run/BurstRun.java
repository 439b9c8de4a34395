package dev.serval.bench.run;

import dev.serval.bench.load.Ab;
import dev.serval.bench.load.Browser;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.report.BurstResult;
import dev.serval.bench.scenario.Cell;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// Has ab send short bursts of requests to each server. All servers run at the same time, so that
/// their runs can be interleaved.
record BurstRun(Contest contest) {
    /// The runs of ab for each round of the settings.
    private static final int RUNS_PER_ROUND = 10;

    BurstResult run(Cell.Burst cell) {
        Work work = contest.work(cell, cell.file(), cell.connections(), Cell.ClientKind.AB);
        int runs = runs(cell, contest.settings().rounds());
        Optional<Ab> found = contest.loads().clients().ab();
        String lack = "its client is missing: apt-get install apache2-utils";
        Ab ab = found.orElseThrow(() -> BenchFailure.lack(lack, null));
        List<Course<BurstResult.Run>> courses =
                contest.together(
                        contest.peers(cell),
                        runs,
                        server -> {
                            warm(ab, cell, work, server);
                            return () -> burst(ab, cell, work, server);
                        });
        courses.forEach(course -> progress(cell, course));
        return new BurstResult(
                cell.name(),
                cell.title(),
                contest.subject(),
                courses.stream().map(BurstRun::server).toList(),
                cell.published(),
                List.of(
                        "%d runs of ab -q -r -n%d -c%d -k, after a warm-up of others"
                                .formatted(runs, cell.requests(), cell.connections())));
    }

    /// Compares an answer, and warms up with runs that do not count.
    private void warm(Ab ab, Cell.Burst cell, Work work, RunningPeer server) throws IOException {
        Browser.require(work.target(server.port()));
        int runs = Math.min(cell.runs(), 2 * contest.settings().warmUpsMax());
        for (int number = 0; number < runs; number++) {
            burst(ab, cell, work, server);
        }
    }

    /// Returns the number of runs.
    static int runs(Cell.Burst cell, int rounds) {
        return Math.min(cell.runs(), rounds * RUNS_PER_ROUND);
    }

    private static BurstResult.Server server(Course<BurstResult.Run> course) {
        return course.sound()
                ? new BurstResult.Server(course.name(), List.copyOf(course.rounds()), null)
                : new BurstResult.Server(course.name(), List.of(), course.failure());
    }

    private BurstResult.Run burst(Ab ab, Cell.Burst cell, Work work, RunningPeer server)
            throws IOException {
        Meter.Reading before = contest.meter().read(server);
        Ab.Burst burst = ab.burst(work.target(server.port()), cell.requests(), cell.connections());
        Meter.Reading after = contest.meter().read(server);
        BenchFailure.require(burst.complete() > 0, "no request was answered in a run of ab");
        return new BurstResult.Run(
                burst.rate(),
                burst.millis(),
                burst.failed(),
                burst.complete() - burst.kept(),
                (after.server() - before.server()) / 1e3 / burst.complete(),
                (after.client() - before.client()) / 1e3 / burst.complete(),
                contest.meter().disturbed(before, after));
    }

    private void progress(Cell.Burst cell, Course<BurstResult.Run> course) {
        if (course.sound()) {
            contest.say(
                    "%s  %-16s %8.2f µs/request %9.0f requests/s",
                    cell.name(),
                    course.name(),
                    server(course).cpuMicros().median(),
                    server(course).mean(BurstResult.Run::rate));
        }
    }
}
