package dev.serval.examples.embedding;

import dev.serval.Serval;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/// Serves a folder, and one path with computed content.
final class FilesAndTime {
    private FilesAndTime() {}

    static Serval start(int port, Path folder) throws IOException {
        return Serval.listen(port)
                .files("/", folder)
                .get("/time", x -> x.text(Instant.now().toString()))
                .start();
    }
}
