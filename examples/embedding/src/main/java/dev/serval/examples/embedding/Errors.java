package dev.serval.examples.embedding;

import dev.serval.Serval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Answers exceptions by their type, in one place.
final class Errors {
    private Errors() {}

    static Serval start(int port, Path notes) throws IOException {
        return Serval.listen(port)
                .get("/notes/{name}", x -> x.text(Files.readString(notes.resolve(x.param("name")))))
                .exception(NoSuchFileException.class, (e, x) -> x.status(404).text("No such note"))
                .exception(IOException.class, (e, x) -> x.status(503).text("Try again later"))
                .otherwise(x -> x.status(404).html("<h1>Nothing here</h1>"))
                .start();
    }
}
