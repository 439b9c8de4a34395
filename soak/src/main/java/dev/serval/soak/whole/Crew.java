package dev.serval.soak.whole;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// All clients of a part of the soak. They run from their creation to [#close].
final class Crew implements AutoCloseable {
    private static final int PAUSE_MILLIS = 80;
    private static final int LARGE_PAUSE_MILLIS = 1500;
    private static final int LARGE_CLIENTS = 2;
    private static final int RELOAD_MILLIS_MAX = 20_000;

    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean running = true;

    private Crew() {}

    /// Starts clients that behave.
    static Crew steady(WholeSettings settings, SoakSite site, Path root, Tally tally, long seed)
            throws IOException {
        Crew crew = new Crew();
        Asks asks = new Asks(root);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < settings.steady(); i++) {
            SplittableRandom own = random.split();
            crew.add(
                    "steady",
                    new SteadyClient(
                            site.port(),
                            () -> asks.next(own),
                            tally,
                            random.split(),
                            PAUSE_MILLIS,
                            crew::isRunning));
        }
        for (int i = 0; i < LARGE_CLIENTS; i++) {
            crew.add(
                    "large",
                    new SteadyClient(
                            site.port(),
                            asks::large,
                            tally,
                            random.split(),
                            LARGE_PAUSE_MILLIS,
                            crew::isRunning));
        }
        return crew;
    }

    /// Adds hostile clients and reloads.
    Crew withFaults(WholeSettings settings, SoakSite site, Path root, Tally tally, long seed)
            throws IOException {
        Asks asks = new Asks(root);
        SplittableRandom random = new SplittableRandom(~seed);
        for (int i = 0; i < settings.hostile(); i++) {
            add(
                    "hostile",
                    new HostileClient(site.port(), asks, tally, random.split(), this::isRunning));
        }
        int every = (int) Math.min(RELOAD_MILLIS_MAX, settings.row().toMillis() / 2);
        add("reloads", new Reloads(site, tally, every, this::isRunning));
        return this;
    }

    private boolean isRunning() {
        return running;
    }

    private void add(String name, Runnable client) {
        threads.add(Thread.ofVirtual().name(name).start(client));
    }

    /// Lets each client end what it has begun.
    @Override
    public void close() {
        running = false;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
