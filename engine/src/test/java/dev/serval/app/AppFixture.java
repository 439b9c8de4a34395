package dev.serval.app;

import dev.serval.LeakCheck;
import dev.serval.Serval;
import dev.serval.mode.InMode;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/// A server of one application, and a connection to it.
final class AppFixture implements AutoCloseable {
    final Serval server;
    RawClient client;

    AppFixture(UnaryOperator<Serval.Builder> app) throws IOException {
        server = InMode.start(app.apply(Serval.builder().listen(InMode.listener()).loops(1)));
        client = RawClient.connect(server.addresses().getFirst());
    }

    RawResponse get(String target) {
        return ask("GET", target, "");
    }

    RawResponse ask(String method, String target, String fields) {
        String head = method + " " + target + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n";
        return answer(client.send(head), method);
    }

    RawResponse post(String target, String type, String content) {
        int length = content.getBytes(StandardCharsets.ISO_8859_1).length;
        String fields = "Content-Type: " + type + "\r\nContent-Length: " + length + "\r\n";
        client.send("POST " + target + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n" + content);
        return answer(client, "POST");
    }

    /// Reconnects if the server announced the end of the connection, as it does after a handler's
    /// fault.
    private RawResponse answer(RawClient asked, String method) {
        RawResponse answer = asked.answer(method);
        if (answer.announcesClose()) {
            asked.close();
            client = RawClient.connect(server.addresses().getFirst());
        }
        return answer;
    }

    @Override
    public void close() {
        client.close();
        server.close();
        LeakCheck.nothingHeld(server);
    }
}
