package dev.serval.bench.flood;

import java.nio.file.Path;
import java.util.List;

/// What was asked of `serval soak floods`.
///
/// @param cells the floods to run
/// @param seconds how long each lasts
/// @param heapMegabytes most heap of the server
/// @param launcher starts the server: `./serval`, or that of another source tree to compare with
/// @param jvmOptions more options for the server's JVM
public record FloodSettings(
        List<Flood> cells,
        int seconds,
        int heapMegabytes,
        Path launcher,
        List<String> jvmOptions) {}
