package dev.serval.examples.embedding;

import static dev.serval.app.AppHandler.onLoop;

import dev.serval.Serval;
import dev.serval.app.AppHandler;
import java.io.IOException;

/// Adds two query parameters. It runs on the event loop, because it never blocks.
final class Sum {
    private Sum() {}

    static Serval start(int port) throws IOException {
        AppHandler sum =
                x -> {
                    long total = x.query().number("a", 0) + x.query().number("b", 0);
                    x.text("The sum is " + total);
                };
        return Serval.listen(port).get("/sum", onLoop(sum)).start();
    }
}
