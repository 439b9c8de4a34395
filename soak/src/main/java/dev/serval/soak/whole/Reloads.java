package dev.serval.soak.whole;

import dev.serval.bench.client.HttpConnection;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/// Changes the configuration under load once in a while, and checks that the next answer has the
/// change. Owned by its thread.
final class Reloads implements Runnable {
    private static final int PATIENCE_MILLIS = 30_000;
    private static final int STEP_MILLIS = 100;

    private final SoakSite site;
    private final Tally tally;
    private final int everyMillis;
    private final BooleanSupplier running;
    private int turn;

    Reloads(SoakSite site, Tally tally, int everyMillis, BooleanSupplier running) {
        this.site = site;
        this.tally = tally;
        this.everyMillis = everyMillis;
        this.running = running;
    }

    @Override
    public void run() {
        try {
            while (running.getAsBoolean()) {
                for (int i = 0; i < everyMillis && running.getAsBoolean(); i += STEP_MILLIS) {
                    Thread.sleep(STEP_MILLIS);
                }
                reload();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void reload() {
        String next = String.valueOf(++turn);
        try {
            site.write(next);
            HttpConnection.Answer answer =
                    HttpConnection.ask(
                            site.admin(), site.administration("POST /reload"), PATIENCE_MILLIS);
            if (answer.status() != 200) {
                tally.wrong("A reload got " + answer.head());
                return;
            }
            String head = HttpConnection.get(site.port(), "/turn/good-0", PATIENCE_MILLIS).head();
            if (head.contains(SoakSite.TURN_FIELD + ": " + next + "\r\n")) {
                tally.hostile("reload done");
            } else {
                tally.wrong("After reload " + next + ": " + head);
            }
        } catch (IOException e) {
            tally.wrong("A reload failed: " + e);
        }
    }
}
