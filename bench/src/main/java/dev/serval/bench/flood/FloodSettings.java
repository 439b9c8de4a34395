package dev.serval.bench.flood;

import java.nio.file.Path;
import java.util.List;

/// Holds the arguments of `serval soak floods`.
///
/// @param cells the floods to run
/// @param seconds how long each flood lasts
/// @param heapMegabytes the maximum heap of the server
/// @param launcher the program that starts the server: `./serval`, or that of another source tree
///     to compare with
/// @param jvmOptions more options for the server's JVM
public record FloodSettings(
        List<Flood> cells,
        int seconds,
        int heapMegabytes,
        Path launcher,
        List<String> jvmOptions) {}
