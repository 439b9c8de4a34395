package dev.serval.soak.whole;

import dev.serval.soak.flood.Crowd;
import dev.serval.soak.subject.Remains;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// The parts of a whole soak, one after the other: a warm-up with all clients and a short crowd, a
/// rest, the load, the crowd beside clients that behave, and a rest again. Used by one thread.
final class Course {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final Duration REST_MAX = Duration.ofMinutes(2);
    private static final Duration GATHER_MAX = Duration.ofSeconds(5);
    private static final Duration SETTLE = Duration.ofSeconds(12);
    private static final int POLL_MILLIS = 250;
    private static final int FIRST_PART = 6;

    private final WholeSettings settings;
    private final SoakSite site;
    private final Path root;
    private final ServerWatch watch;
    private final PrintStream out;
    private final Tally tally = new Tally();
    private final List<Row> rows = new ArrayList<>();
    private final List<Histogram> load = new ArrayList<>();
    private @Nullable Remains before;
    private @Nullable Remains after;
    private long residentBytes;
    private Histogram crowd = new Histogram(3);

    Course(WholeSettings settings, SoakSite site, Path root, ServerWatch watch, PrintStream out) {
        this.settings = settings;
        this.site = site;
        this.root = root;
        this.watch = watch;
        this.out = out;
    }

    /// Runs all parts.
    void run() throws IOException, InterruptedException {
        Held quiet = watch.held();
        try (Crew crew = Crew.steady(settings, site, root, tally, 1)) {
            crew.withFaults(settings, site, root, tally, 1);
            minute("warm-up", settings.warm());
        }
        // The crowd makes pools and buffers as large as they get, so it is part of the warm-up.
        crowd("warm-up", settings.crowd());
        Remains warm = rest(quiet, SETTLE);
        before = warm;
        load();
        crowd = crowd("crowd", settings.crowd());
        after = rest(Promises.flat(warm), REST_MAX);
        residentBytes = watch.residentBytes();
    }

    private void load() throws IOException, InterruptedException {
        long end = System.nanoTime() + settings.length().minus(settings.warm()).toNanos();
        try (Crew crew = Crew.steady(settings, site, root, tally, 2)) {
            crew.withFaults(settings, site, root, tally, 2);
            while (end - System.nanoTime() > settings.row().toNanos() / 2) {
                long left = end - System.nanoTime();
                load.add(
                        minute("load", Duration.ofNanos(Math.min(left, settings.row().toNanos()))));
            }
        }
    }

    /// Waits while the clients run, and makes the row of that time.
    private Histogram minute(String part, Duration length)
            throws IOException, InterruptedException {
        long began = System.nanoTime();
        Thread.sleep(length);
        Tally.Taken taken = tally.take();
        row(watch.row(part, (System.nanoTime() - began) / NANOS_PER_SECOND, taken));
        return taken.small();
    }

    private void row(Row row) {
        rows.add(row);
        out.println(WholeReport.line(row));
    }

    /// Runs clients that behave beside the crowd. Returns the times of their answers after the crowd
    /// has gathered.
    private Histogram crowd(String part, Duration length) throws IOException, InterruptedException {
        strays();
        InetSocketAddress target =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), site.port());
        try (Crew _ = Crew.steady(settings, site, root, tally, 3);
                Crowd _ = Crowd.open(target, settings.crowdPercent())) {
            Duration gather = length.compareTo(GATHER_MAX) < 0 ? length : GATHER_MAX;
            minute(part + ", coming", gather);
            return minute(part, length);
        }
    }

    /// Waits until the server holds nothing of clients that have left: its idle threads end after some
    /// seconds, and so do connections to upstreams.
    ///
    /// @param least what it held before, which ends the wait
    /// @param settle how long the numbers may stay the same until the wait ends, too
    private Remains rest(Held least, Duration settle) throws IOException, InterruptedException {
        long end = System.nanoTime() + REST_MAX.toNanos();
        long settled = System.nanoTime() + settle.toNanos();
        Held last = watch.held();
        while (!last.isWithin(least) && System.nanoTime() - Math.min(end, settled) < 0) {
            Thread.sleep(POLL_MILLIS);
            Held now = watch.held();
            if (!now.equals(last)) {
                last = now;
                settled = System.nanoTime() + settle.toNanos();
            }
        }
        strays();
        Remains remains = watch.remains();
        out.println("at rest: " + remains);
        return remains;
    }

    /// Makes a row of what clients saw while they ended, if an answer was wrong.
    private void strays() throws IOException {
        Tally.Taken taken = tally.take();
        if (taken.wrong() > 0) {
            row(watch.row("ending", 0, taken));
        }
    }

    List<Row> rows() {
        return List.copyOf(rows);
    }

    /// Returns the times of the first minutes of the load.
    Histogram first() {
        return sum(load.subList(0, part()));
    }

    /// Returns the times of the last minutes of the load, as many as the first.
    Histogram last() {
        return sum(load.subList(load.size() - part(), load.size()));
    }

    private int part() {
        return Math.max(1, load.size() / FIRST_PART);
    }

    private static Histogram sum(List<Histogram> parts) {
        Histogram sum = new Histogram(3);
        parts.forEach(sum::add);
        return sum;
    }

    Histogram crowd() {
        return crowd;
    }

    Remains before() {
        return ran(before);
    }

    Remains after() {
        return ran(after);
    }

    private static Remains ran(@Nullable Remains remains) {
        if (remains == null) {
            throw new IllegalStateException("the course has not run");
        }
        return remains;
    }

    long residentMegabytes() {
        return residentBytes >> 20;
    }

    List<String> examples() {
        return tally.examples();
    }
}
