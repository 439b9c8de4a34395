package dev.serval.log;

import java.nio.file.Path;
import java.time.ZoneId;

/// Where an access log is written, and how. Immutable.
///
/// @param file its file, or a device; /dev/stdout and /dev/stderr are those of the process
/// @param format what its lines say
/// @param shortened whether addresses of clients name only the network: 24 bits of IPv4, 48 of IPv6
/// @param rotation when another file is begun
/// @param zone by which a day ends
public record LogSettings(
        Path file, LogFormat format, boolean shortened, Rotation rotation, ZoneId zone) {
    /// Creates settings of a log with whole addresses that is never renamed.
    public LogSettings(Path file, LogFormat format) {
        this(file, format, false, Rotation.NEVER, ZoneId.systemDefault());
    }

    /// Returns whether a file is the standard output or error of the process, which needs no rights.
    public static boolean isStandardStream(Path file) {
        return StandardStream.is(file);
    }

    /// Makes the path absolute.
    public LogSettings {
        file = file.toAbsolutePath().normalize();
    }
}
