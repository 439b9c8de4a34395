package dev.serval.examples.embedding;

import dev.serval.Serval;
import dev.serval.app.EventStream;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;

/// Sends the elements of a queue as server-sent events until the client disconnects.
final class Ticks {
    private Ticks() {}

    static Serval start(int port, BlockingQueue<String> queue) throws IOException {
        EventStream.Source ticks =
                events -> {
                    while (true) {
                        events.send(queue.take());
                    }
                };
        return Serval.listen(port).get("/ticks", x -> x.events(ticks)).start();
    }
}
