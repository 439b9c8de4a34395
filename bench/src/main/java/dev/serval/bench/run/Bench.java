package dev.serval.bench.run;

import dev.serval.bench.load.OpenLoad;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.AbsentResult;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Gap;
import dev.serval.bench.scenario.Settings;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The context of every cell of a run.
///
/// @param progress receives a line for each step
public record Bench(Stage stage, Proc proc, Settings settings, PrintStream progress) {
    /// Descriptors that are needed beside those of the connections.
    private static final int RESERVE = 500;

    /// Prints a line of the progress.
    public void say(String format, @Nullable Object... arguments) {
        progress.printf(format + "%n", arguments);
    }

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
    public interface Attempt<T> {
        /// Returns its result.
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
            say("%s failed: %s", name, why);
            return failed.apply(why);
        }
    }

    /// Measures a cell. A failure of one cell does not end the run.
    public List<CellResult> cell(String name, String title, Attempt<List<CellResult>> attempt) {
        try {
            return attempt.take();
        } catch (IOException | BenchFailure e) {
            boolean lack = e instanceof BenchFailure failure && failure.isLack();
            Gap.Kind kind = lack ? Gap.Kind.NOT_MEASURED : Gap.Kind.FAILED;
            String why = String.valueOf(e.getMessage());
            say("%s %s: %s", name, kind.word(), why);
            return List.of(new AbsentResult(name, title, kind, why));
        }
    }

    /// Returns a meter of the stage's CPUs.
    Meter meter() {
        return new Meter(proc, stage.cpus(), settings);
    }
}
