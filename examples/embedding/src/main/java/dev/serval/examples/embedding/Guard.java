package dev.serval.examples.embedding;

import dev.serval.Serval;
import dev.serval.app.AppFilter;
import dev.serval.app.HttpException;
import java.io.IOException;

/// Lets requests for a part of the paths through only if they have the key.
final class Guard {
    private Guard() {}

    static Serval start(int port, String key) throws IOException {
        AppFilter guard =
                (x, next) -> {
                    if (!key.equals(x.field("Api-Key"))) {
                        throw new HttpException(401, "Send the key of this server.");
                    }
                    next.handle(x);
                };
        return Serval.listen(port).filter("/admin", guard).get("/admin", x -> x.text("Ok")).start();
    }
}
