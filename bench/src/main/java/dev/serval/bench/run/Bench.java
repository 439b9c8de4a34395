package dev.serval.bench.run;

import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.scenario.Settings;
import java.io.PrintStream;

/// The context of every cell of a run.
///
/// @param progress receives a line for each step
public record Bench(Stage stage, Proc proc, Settings settings, PrintStream progress) {

    /// Returns this context on another stage.
    Bench on(Stage other) {
        return new Bench(other, proc, settings, progress);
    }

    /// Returns a meter of the stage's CPUs.
    Meter meter() {
        return new Meter(proc, stage.cpus(), settings);
    }
}
