package dev.serval.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// How many descriptors this process may hold. Stateless.
public final class Descriptors {
    private static final Path LIMITS = Path.of("/proc/self/limits");

    private Descriptors() {}

    /// The soft limit of open files, or [Long#MAX_VALUE] where the system does not tell.
    public static long limit() {
        try {
            for (String line : Files.readAllLines(LIMITS)) {
                if (line.startsWith("Max open files")) {
                    String soft = line.substring(14).strip().split(" ", 2)[0];
                    return soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft);
                }
            }
        } catch (IOException | NumberFormatException e) {
            // Not Linux: the fixed limits stand alone.
        }
        return Long.MAX_VALUE;
    }
}
