package dev.serval.bench.run;

import dev.serval.bench.load.Browser;
import dev.serval.bench.load.Client;
import dev.serval.bench.load.Fate;
import dev.serval.bench.load.Fates;
import dev.serval.bench.load.Offer;
import dev.serval.bench.load.OpenLoad;
import dev.serval.bench.load.Script;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.report.RampResult;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Settings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Offers rising rates of new connections or sessions to servers, one server after the other. After
/// the planned rates, the rates grow by a factor, until a server was offered twice its highest rate
/// without an error, has ended, or the generator is at its end.
public final class RampRun {
    private static final int USERS = 16;
    private static final int WARM_UP_SECONDS_MAX = 15;

    /// No server gets more steps, so that a ramp ends.
    private static final int STEPS_MAX = 200;

    private static final long WATCH_MILLIS = 250;

    /// How often a server that may have crashed is asked, with a pause after each.
    private static final int LAST_TRIES = 10;

    private static final long LAST_PAUSE_NANOS = 500_000_000;

    private final Bench bench;
    private final Cell.Ramp cell;
    private final Cell.Ramp.Steps steps;
    private final double factor;
    private final OpenLoad.Terms terms;
    private final @Nullable Script script;

    /// Makes a ramp of requests with the terms of a cell.
    public RampRun(Bench bench, Cell.Ramp cell) throws IOException {
        this(bench, cell, null);
    }

    /// Makes a ramp of sessions with the terms of a cell.
    ///
    /// @param script what a client does in a session; null for a single request
    RampRun(Bench bench, Cell.Ramp cell, @Nullable Script script) throws IOException {
        this.bench = bench;
        this.cell = cell;
        this.script = script;
        this.factor = quick(cell, bench.settings()) ? cell.factor() * cell.factor() : cell.factor();
        this.steps = steps(cell, bench.settings());
        this.terms = bench.terms(cell.addresses(), cell.timeoutMillis(), cell.timeoutMillis());
    }

    /// Returns the planned steps of a ramp: those of the paper, the usual ones, shorter ones in a short
    /// run, or fewer and shorter ones in a quick run.
    static Cell.Ramp.Steps steps(Cell.Ramp cell, Settings settings) {
        if (settings.paper()) {
            return cell.paper();
        }
        return quick(cell, settings)
                ? cell.usual().quick(settings.seconds())
                : cell.usual().atMost(Math.max(1, settings.rounds() * settings.seconds() / 2));
    }

    private static boolean quick(Cell.Ramp cell, Settings settings) {
        return settings.rounds() * settings.seconds() < cell.usual().seconds();
    }

    /// Starts a server.
    public interface Starting {
        /// Returns the server after it answers.
        RunningPeer start() throws IOException;
    }

    /// A server that takes part.
    public record Entry(String name, Starting starting) {}

    /// Measures one server after the other.
    ///
    /// @param target what is requested from the server at a port
    public RampResult run(String subject, List<Entry> entries, IntFunction<Client.Target> target)
            throws IOException {
        double ceiling = Ceiling.of(bench, terms);
        List<RampResult.Server> servers = new ArrayList<>();
        for (Entry entry : entries) {
            try (RunningPeer server = entry.starting().start()) {
                servers.add(measured(server, target.apply(server.port()), ceiling));
            } catch (IOException | BenchFailure e) {
                String failure = String.valueOf(e.getMessage());
                bench.say("%s failed: %s", entry.name(), failure);
                servers.add(
                        new RampResult.Server(
                                entry.name(), steps.seconds(), List.of(), false, 0, failure));
            }
        }
        return new RampResult(
                cell.name(),
                cell.title(),
                subject,
                cell.gateReplies(),
                ceiling,
                servers,
                cell.published(),
                notes(ceiling));
    }

    private RampResult.Server measured(RunningPeer server, Client.Target target, double ceiling)
            throws IOException {
        Browser.require(target);
        int descriptorsMax = bench.proc().descriptorsMax(server.pid());
        List<RampResult.Step> all = new ArrayList<>();
        boolean ended = false;
        try (OpenLoad load =
                script == null ? OpenLoad.on(target, terms) : OpenLoad.of(script, target, terms)) {
            warmUp(load, server);
            double most = script == null ? ceiling : ceiling / script.connections();
            Rates rates = new Rates(steps, factor, most);
            double next = rates.first();
            while (next > 0 && !ended) {
                Optional<RampResult.Step> step = step(load, server, next, steps.seconds());
                step.ifPresent(all::add);
                ended = step.isEmpty();
                step.ifPresent(made -> progress(server, made));
                LockSupport.parkNanos(steps.pauseMillis() * 1_000_000L);
                next = ended ? 0 : rates.after(all);
            }
        }
        boolean crashed = ended || !answersAtLast(target);
        return new RampResult.Server(
                server.name(), steps.seconds(), all, crashed, descriptorsMax, null);
    }

    /// Warms a server up. Users who think are few sessions, so sessions come at the highest planned
    /// rate, until one costs as much as before.
    private void warmUp(OpenLoad load, RunningPeer server) throws IOException {
        load.run(Offer.closed(USERS, Math.min(steps.seconds(), WARM_UP_SECONDS_MAX)));
        int seconds = warmUpSeconds(cell, bench.settings());
        if (script != null && seconds > 0) {
            double rate = steps.rates().getLast();
            Rounds.Measure<RampResult.Step> measure =
                    _ -> {
                        bench.say("%s  %-16s warm-up at %.0f/s", cell.name(), server.name(), rate);
                        return step(load, server, rate, seconds)
                                .orElseThrow(() -> new IOException("it ended"));
                    };
            new Rounds<>(bench.settings(), measure, _ -> false)
                    .warmUp(List.of(RampResult.Step::cpuMicros));
        }
    }

    /// Returns the length of a warm-up with sessions, or 0 for none: the steps of the paper are long
    /// enough, and the figures of a quick run are rough.
    static int warmUpSeconds(Cell.Ramp cell, Settings settings) {
        boolean none = settings.paper() || settings.isQuick();
        return none ? 0 : Math.max(1, steps(cell, settings).seconds() / 2);
    }

    /// The rates of a ramp.
    ///
    /// @param factor of rates beyond the planned ones
    /// @param ceiling requests per second that the generator makes at most
    record Rates(Cell.Ramp.Steps steps, double factor, double ceiling) {
        /// As many steps in a row that the generator did not make end the ramp: the machine is busy
        /// with other work.
        private static final int LATE_STEPS_MAX = 3;

        double first() {
            return steps.from();
        }

        /// Returns the rate after these steps, or 0 if the ramp is over.
        double after(List<RampResult.Step> made) {
            double last = made.getLast().planned();
            List<Double> planned = steps.rates();
            if (isOfTheGenerator(made) || made.size() >= STEPS_MAX) {
                return 0;
            }
            if (made.size() < planned.size()) {
                return planned.get(made.size());
            }
            double highest =
                    new RampResult.Server("", steps.seconds(), made, false, 0, null).highest();
            boolean limited = made.stream().anyMatch(RampResult.Step::tooMuch);
            boolean twice = limited && last >= 2 * Math.max(highest, steps.from());
            return twice || last >= Math.rint(ceiling)
                    ? 0
                    : Math.rint(Math.min(ceiling, last * factor));
        }

        /// Returns whether the generator is at its end. At less than half of its ceiling, a single
        /// step that it did not make is due to other programs.
        private boolean isOfTheGenerator(List<RampResult.Step> made) {
            int late = 0;
            for (RampResult.Step step : made) {
                late = step.ofTheGenerator() ? late + 1 : 0;
            }
            return late >= LATE_STEPS_MAX || (late > 0 && 2 * made.getLast().planned() >= ceiling);
        }
    }

    /// Offers one rate, or returns nothing if the server's process has ended meanwhile.
    private Optional<RampResult.Step> step(
            OpenLoad load, RunningPeer server, double rate, int seconds) {
        try (Watch watch = new Watch(server)) {
            Meter.Reading before = bench.meter().read(server);
            Fates fates = load.run(Offer.open(rate, seconds));
            Meter.Reading after = bench.meter().read(server);
            return Optional.of(
                    new RampResult.Step(
                            rate,
                            fates.all() / fates.offer().seconds(),
                            RampResult.Replies.of(
                                    fates.replyRates(steps.sampleMillis() * 1_000_000L)),
                            fates.rightMillis(50),
                            fates.rightMillis(90),
                            fates.rightMillis(99),
                            fates.ends(),
                            fates.failed(),
                            fates.count(Fate.TIMEOUT),
                            fates.lateShare(),
                            fates.isOfTheGenerator(),
                            (after.server() - before.server()) / 1e3 / fates.all(),
                            watch.most,
                            bench.meter().disturbed(before, after)));
        } catch (IOException e) {
            bench.say("%s: %s", server.name(), e.getMessage());
            return Optional.empty();
        }
    }

    /// Watches the open descriptors of a server, in a thread of its own.
    private final class Watch implements AutoCloseable {
        private final RunningPeer server;
        private final ScheduledExecutorService thread =
                Executors.newSingleThreadScheduledExecutor();
        private final Future<?> looking;
        private volatile int most;

        Watch(RunningPeer server) {
            this.server = server;
            looking =
                    thread.scheduleAtFixedRate(this::look, 0, WATCH_MILLIS, TimeUnit.MILLISECONDS);
        }

        private void look() {
            try {
                most = Math.max(most, bench.proc().descriptors(server.pid()));
            } catch (IOException e) {
                thread.shutdown(); // the server has ended, which the step notices
            }
        }

        @Override
        public void close() {
            looking.cancel(false);
            thread.close();
        }
    }

    private static boolean answersAtLast(Client.Target target) {
        for (int number = 0; number < LAST_TRIES; number++) {
            try {
                if (Browser.fault(target).isEmpty()) {
                    return true;
                }
            } catch (IOException e) {
                // It may still be busy with requests whose clients have gone.
            }
            LockSupport.parkNanos(LAST_PAUSE_NANOS);
        }
        return false;
    }

    private void progress(RunningPeer server, RampResult.Step step) {
        bench.say(
                "%s  %-16s %6.0f/s offered, %6.0f/s answered, p99 %.1f ms, %d failed%s%s",
                cell.name(),
                server.name(),
                step.offered(),
                step.replies().mean(),
                step.p99Millis(),
                step.failed(),
                step.ofTheGenerator() ? ", the generator was at its end" : "",
                step.disturbed() ? "  disturbed" : "");
    }

    private List<String> notes(double ceiling) {
        return List.of(
                String.format(
                        "%d to %d connections per second by %d, then × %.2f; %d s for each step, %.1f s"
                                + " between two; timeout %.1f s; replies counted every %.1f s; from %d"
                                + " addresses",
                        steps.from(),
                        steps.to(),
                        steps.by(),
                        factor,
                        steps.seconds(),
                        steps.pauseMillis() / 1e3,
                        cell.timeoutMillis() / 1e3,
                        steps.sampleMillis() / 1e3,
                        cell.addresses()),
                Ceiling.note(ceiling));
    }
}
