package dev.serval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Body;
import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Checks that handlers on workers learn the addresses of their own connection, and that asking for
/// them disturbs no connection of the loop.
@Timeout(120)
final class AddressesTest {
    private static final int CLIENTS = 6;
    private static final int CONNECTIONS = 300; // of each client

    /// Each client has an address of its own, and each connection asks once, so that workers ask
    /// while the loop accepts, reads and closes.
    @Test
    void workersLearnTheAddressesOfTheirConnection() throws Exception {
        try (Serval server =
                        Serval.builder()
                                .listen(new InetSocketAddress("0.0.0.0", 0))
                                .loops(1)
                                .mount(
                                        "/",
                                        x ->
                                                x.run(
                                                        ExecutorKind.WORKER,
                                                        () -> answer(x.connection())))
                                .start();
                ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            int port = ((InetSocketAddress) server.addresses().getFirst()).getPort();
            List<Future<List<String>>> wrong = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                String own = "127.0.0." + (11 + i);
                String asked = "127.0.0." + (31 + i);
                wrong.add(clients.submit(() -> wrongAnswers(own, asked, port)));
            }
            for (Future<List<String>> one : wrong) {
                assertThat(one.get()).isEmpty();
            }
        }
    }

    private static List<String> wrongAnswers(String own, String asked, int port)
            throws IOException {
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            try (Socket socket = new Socket()) {
                socket.bind(new InetSocketAddress(own, 0));
                socket.connect(new InetSocketAddress(asked, port));
                socket.getOutputStream()
                        .write(
                                "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                                        .getBytes(StandardCharsets.US_ASCII));
                String answer =
                        new String(
                                socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                String expected = own + ":" + socket.getLocalPort() + " to " + asked + ":" + port;
                if (!answer.endsWith("\r\n\r\n" + expected)) {
                    wrong.add("expected " + expected + ", got " + answer);
                }
            }
        }
        return wrong;
    }

    private static Handler answer(ConnectionFacts facts) {
        String text = text(facts.peer()) + " to " + text(facts.local());
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return x ->
                x.response()
                        .send(
                                new ResponseHead(Status.OK, Fields.EMPTY, bytes.length),
                                Body.Bytes.of(bytes));
    }

    private static String text(SocketAddress address) {
        InetSocketAddress inet = (InetSocketAddress) address;
        InetAddress host = inet.getAddress();
        return host.getHostAddress() + ":" + inet.getPort();
    }
}
