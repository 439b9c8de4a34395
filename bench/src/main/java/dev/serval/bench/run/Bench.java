package dev.serval.bench.run;

import dev.serval.bench.load.OpenLoad;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.scenario.Settings;
import java.io.IOException;
import java.io.PrintStream;
import java.util.function.Function;

/// The context of every cell of a run.
///
/// @param progress receives a line for each step
public record Bench(Stage stage, Proc proc, Settings settings, PrintStream progress) {
    /// Descriptors that are needed beside those of the connections.
    private static final int RESERVE = 500;

    /// Returns this context on another stage.
    Bench on(Stage other) {
        return new Bench(other, proc, settings, progress);
    }

    /// Returns the terms of an open load, with as many connections as this process may have.
    OpenLoad.Terms terms(int addresses, int deadlineMillis, int patienceMillis) throws IOException {
        return new OpenLoad.Terms(
                addresses,
                deadlineMillis * 1_000_000L,
                patienceMillis * 1_000_000L,
                proc.descriptorsMax() - RESERVE);
    }

    /// A part of a run that may fail.
    interface Attempt<T> {
        T take() throws IOException;
    }

    /// Returns what an attempt returns, or what stands for it if it fails.
    ///
    /// @param name of what fails, for the message
    /// @param failed receives the reason
    <T> T attempt(String name, Attempt<T> attempt, Function<String, T> failed) {
        try {
            return attempt.take();
        } catch (IOException | BenchFailure e) {
            String why = String.valueOf(e.getMessage());
            progress.printf("%s failed: %s%n", name, why);
            return failed.apply(why);
        }
    }

    /// Returns a meter of the stage's CPUs.
    Meter meter() {
        return new Meter(proc, stage.cpus(), settings);
    }
}
