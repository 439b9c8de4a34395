package dev.serval.file;

import java.time.Duration;
import java.time.InstantSource;

/// A clock that is a minute ahead of the file system's, so that files which a test has just written
/// count as settled. Stateless.
final class LaterClock {
    static final InstantSource LATER =
            InstantSource.offset(InstantSource.system(), Duration.ofMinutes(1));

    private LaterClock() {}
}
