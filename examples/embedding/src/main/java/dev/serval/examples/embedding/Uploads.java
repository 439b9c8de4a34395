package dev.serval.examples.embedding;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import dev.serval.Serval;
import dev.serval.app.AppHandler;
import dev.serval.policy.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Stores an upload of up to 1 GiB from a stream, and serves it with ranges.
final class Uploads {
    private Uploads() {}

    static Serval start(int port, Path folder) throws IOException {
        Path file = folder.resolve("upload");
        AppHandler store =
                x -> x.text("Bytes: " + Files.copy(x.bodyStream(), file, REPLACE_EXISTING));
        return Serval.listen(port)
                .limits(Limits.DEFAULT.with(draft -> draft.content.maxBytes = 1L << 30))
                .put("/file", store)
                .get("/file", x -> x.file(file))
                .start();
    }
}
