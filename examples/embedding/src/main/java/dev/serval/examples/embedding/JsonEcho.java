package dev.serval.examples.embedding;

import dev.serval.Serval;
import java.io.IOException;

/// Returns the JSON text of the request.
final class JsonEcho {
    private JsonEcho() {}

    static Serval start(int port) throws IOException {
        return Serval.listen(port).post("/echo", x -> x.json(x.body())).start();
    }
}
