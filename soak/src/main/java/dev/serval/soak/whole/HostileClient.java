package dev.serval.soak.whole;

import dev.serval.soak.whole.HostileKind.WrongAnswer;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/// A client that does one [HostileKind] after the other, chosen at random. Owned by its thread.
final class HostileClient implements Runnable {
    private static final int PAUSE_MILLIS_MAX = 200;

    private final HostileActs acts;
    private final Tally tally;
    private final SplittableRandom random;
    private final BooleanSupplier running;

    HostileClient(
            int port, Asks asks, Tally tally, SplittableRandom random, BooleanSupplier running) {
        this.acts = new HostileActs(port, asks, random);
        this.tally = tally;
        this.random = random;
        this.running = running;
    }

    @Override
    public void run() {
        HostileKind[] kinds = HostileKind.values();
        try {
            while (running.getAsBoolean()) {
                act(kinds[random.nextInt(kinds.length)]);
                Thread.sleep(random.nextInt(PAUSE_MILLIS_MAX));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void act(HostileKind kind) throws InterruptedException {
        String name = kind.name().toLowerCase(Locale.ROOT).replace('_', '-') + " ";
        try {
            tally.hostile(name + kind.act(acts));
        } catch (WrongAnswer e) {
            tally.wrong(kind + ": " + e.getMessage());
        } catch (SocketTimeoutException e) {
            tally.wrong(kind + " hangs");
        } catch (IOException e) {
            if (kind.isAnswered()) {
                tally.wrong(kind + ": " + e);
            } else {
                tally.hostile(name + "closed");
            }
        }
    }
}
