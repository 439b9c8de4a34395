package dev.serval.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Finds how many file descriptors this process may hold. Stateless.
public final class Descriptors {
    private static final Path LIMITS = Path.of("/proc/self/limits");

    private Descriptors() {}

    /// Returns the soft limit of open files, or [Long#MAX_VALUE] if the system does not report one.
    public static long limit() {
        try {
            for (String line : Files.readAllLines(LIMITS)) {
                if (line.startsWith("Max open files")) {
                    String soft = line.substring(14).strip().split(" ", 2)[0];
                    return soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft);
                }
            }
        } catch (IOException | NumberFormatException e) {
            // Not Linux: only the fixed limits apply.
        }
        return Long.MAX_VALUE;
    }
}
