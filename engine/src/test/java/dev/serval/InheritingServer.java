package dev.serval;

import dev.serval.handler.Body;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// A server in a process of its own, for tests: it serves on the sockets that it has inherited, or on
/// a port that it prints. Each answer names the listener. A line of its input is the path of a file
/// by which it hands its sockets over; then it ends.
public final class InheritingServer {
    private InheritingServer() {}

    /// Runs until a hand-over, or the end of its input.
    public static void main(String[] arguments) throws IOException {
        List<ListeningSocket> sockets =
                ListeningSocket.inherited(System.getenv(), ProcessHandle.current().pid());
        Serval.Builder builder = Serval.builder().loops(2).mount("/", saying("own"));
        for (ListeningSocket socket : sockets) {
            builder.listen(ListenerSpec.on(socket).withHandler(saying(socket.name())));
        }
        if (sockets.isEmpty()) {
            builder.listen(0);
        }
        try (Serval server = builder.withoutFlagWarning().start();
                BufferedReader input =
                        new BufferedReader(
                                new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println(sockets.isEmpty() ? "port " + server.port() : "inherited");
            String file = input.readLine();
            if (file != null) {
                List<ListeningSocket> given = server.handOver();
                HandOver.give(Path.of(file), given, Duration.ofSeconds(30));
                server.leave();
                server.stop(Duration.ofSeconds(10));
                given.forEach(ListeningSocket::close);
                System.out.println("handed over");
            }
        }
    }

    /// Returns a handler that answers with a text.
    static Handler saying(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return x ->
                x.response()
                        .send(
                                new ResponseHead(Status.OK, Fields.EMPTY, bytes.length),
                                Body.Bytes.of(bytes));
    }
}
