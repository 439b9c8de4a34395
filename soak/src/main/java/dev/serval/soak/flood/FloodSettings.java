package dev.serval.soak.flood;

import java.nio.file.Path;
import java.util.List;

/// Holds the arguments of `serval soak floods` and of the soaks beside it.
///
/// @param launcher the program that starts the server: `./serval`, or that of another source tree
///     to compare with
/// @param tlsProvider the library that encrypts for `tls` and `streams`
public record FloodSettings(
        List<Flood> cells,
        int seconds,
        int heapMegabytes,
        Path launcher,
        List<String> jvmOptions,
        String tlsProvider) {}
