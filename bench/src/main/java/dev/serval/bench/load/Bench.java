package dev.serval.bench.load;

import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.Stage;
import java.io.PrintStream;

/// What every cell of a run needs.
///
/// @param stage where peers are started
/// @param proc what the kernel counts
/// @param settings how long to measure
/// @param progress lines while it runs
record Bench(Stage stage, Proc proc, Settings settings, PrintStream progress) {}
