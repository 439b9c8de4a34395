package dev.serval.bench.run;

import dev.serval.bench.peer.BenchFailure;
import java.nio.file.Files;
import java.nio.file.Path;

/// The application of Spring MVC that the build makes in folder `applications`.
final class SpringWar {
    /// The path of its notes as JSON, without the first slash. It needs no session.
    static final String PAGE = "api/notes";

    private static final Path WAR = Path.of("applications", "spring", "target", "spring.war");

    private SpringWar() {}

    /// Returns the file.
    ///
    /// @throws BenchFailure if it was not built
    static Path path() {
        if (!Files.isRegularFile(WAR)) {
            throw new BenchFailure(WAR + " is missing: build it with mvn package");
        }
        return WAR.toAbsolutePath();
    }
}
