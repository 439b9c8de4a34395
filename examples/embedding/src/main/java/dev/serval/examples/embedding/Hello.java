package dev.serval.examples.embedding;

import dev.serval.Serval;
import java.io.IOException;

/// Says hello.
final class Hello {
    private Hello() {}

    static Serval start(int port) throws IOException {
        return Serval.listen(port).get("/hello", x -> x.text("Hello")).start();
    }
}
