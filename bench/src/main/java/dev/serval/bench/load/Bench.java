package dev.serval.bench.load;

import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.Stage;
import java.io.PrintStream;

/// The context of every cell of a run.
///
/// @param stage where peers are started
/// @param proc the kernel's counters
/// @param settings how long to measure
/// @param progress receives a line for each step
public record Bench(Stage stage, Proc proc, Settings settings, PrintStream progress) {}
