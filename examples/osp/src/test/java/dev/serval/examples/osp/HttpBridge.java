package dev.serval.examples.osp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.serval.lrwp.peer.ScriptedAgent;
import dev.serval.lrwp.peer.ScriptedAgent.Line;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// The least that turns HTTP requests into LRWP: an HTTP server of the JDK before registered lines.
/// It lets the real client reach the OSP server without a gateway.
final class HttpBridge implements AutoCloseable {
    private final HttpServer http;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final BlockingQueue<Line> idle = new LinkedBlockingQueue<>();

    /// Accepts so many connections of a peer and starts to listen.
    HttpBridge(ScriptedAgent agent, int connections) throws IOException {
        for (int i = 0; i < connections; i++) {
            idle.add(agent.acceptAndRegister());
        }
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(threads);
        http.createContext("/", this::exchange);
        http.start();
    }

    String url(String path) {
        return "http://127.0.0.1:" + http.getAddress().getPort() + path;
    }

    private void exchange(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        String answer;
        try {
            Line line = idle.poll(20, TimeUnit.SECONDS);
            if (line == null) {
                throw new IOException("no idle connection");
            }
            line.send(
                    ScriptedAgent.request(
                            Map.of(
                                    "REQUEST_METHOD",
                                    exchange.getRequestMethod(),
                                    "CONTENT_TYPE",
                                    type == null ? "" : type,
                                    "REMOTE_ADDR",
                                    "127.0.0.1"),
                            body));
            answer = line.answerText();
            idle.add(line);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        send(exchange, answer);
    }

    private static void send(HttpExchange exchange, String answer) throws IOException {
        int end = answer.indexOf("\r\n\r\n");
        int status = 200;
        for (String field : answer.substring(0, end).lines().toList()) {
            int colon = field.indexOf(':');
            String value = field.substring(colon + 1).strip();
            if (field.startsWith("Status:")) {
                status = Integer.parseInt(value.substring(0, 3));
            } else {
                exchange.getResponseHeaders().add(field.substring(0, colon), value);
            }
        }
        byte[] content = answer.substring(end + 4).getBytes(StandardCharsets.ISO_8859_1);
        exchange.sendResponseHeaders(status, content.length == 0 ? -1 : content.length);
        exchange.getResponseBody().write(content);
        exchange.close();
    }

    @Override
    public void close() throws IOException {
        http.stop(0);
        threads.shutdownNow();
        for (Line line : idle) {
            line.close();
        }
    }
}
