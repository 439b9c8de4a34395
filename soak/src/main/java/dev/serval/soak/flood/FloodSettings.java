package dev.serval.soak.flood;

import java.nio.file.Path;
import java.util.List;

/// Holds the arguments of `serval soak floods`.
///
/// @param launcher the program that starts the server: `./serval`, or that of another source tree
///     to compare with
public record FloodSettings(
        List<Flood> cells,
        int seconds,
        int heapMegabytes,
        Path launcher,
        List<String> jvmOptions) {}
