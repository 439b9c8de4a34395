package dev.serval;

import dev.serval.loop.EventLoop;
import dev.serval.net.Listener;
import dev.serval.net.NetLoop;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Carries out the steps of listeners on loops that run: as a command, whose end the caller awaits.
/// Any thread but those of the loops.
final class RunningLoops implements Listener.Steps {
    private static final long ANSWER_SECONDS = 10;

    /// How a step ended.
    ///
    /// @param fault what it threw, or null
    private record Outcome(@Nullable Exception fault) {}

    @Override
    public void on(NetLoop net, Listener.Step step) throws IOException {
        EventLoop loop = net.loop();
        BlockingQueue<Outcome> answer = new ArrayBlockingQueue<>(1);
        loop.execute(() -> answer.add(outcome(step)));
        @Nullable Outcome outcome;
        try {
            outcome = answer.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while " + loop.name() + " was awaited");
        }
        if (outcome == null) {
            throw new IOException(
                    loop.name() + " has not answered within " + ANSWER_SECONDS + " seconds");
        }
        @Nullable Exception fault = outcome.fault();
        if (fault instanceof IOException failed) {
            throw failed;
        }
        if (fault != null) {
            throw new IOException(String.valueOf(fault.getMessage()), fault);
        }
    }

    @Override
    public void later(NetLoop net, Runnable step) {
        net.loop().execute(step);
    }

    private static Outcome outcome(Listener.Step step) {
        try {
            step.run();
            return new Outcome(null);
        } catch (IOException | RuntimeException e) {
            return new Outcome(e);
        }
    }
}
