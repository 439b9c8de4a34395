package dev.serval.bench.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Answers every request head with the same bytes, and closes the connection if a head asks for it.
/// Records the number of requests on each connection that it closed.
final class ScriptedServer implements AutoCloseable {
    private final ServerSocket listening =
            new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Queue<Integer> closedAfter = new ConcurrentLinkedQueue<>();
    private final Set<String> paths = ConcurrentHashMap.newKeySet();
    private final byte[] answer;

    ScriptedServer(String answer) throws IOException {
        this.answer = answer.getBytes(StandardCharsets.US_ASCII);
        Thread.ofPlatform().daemon().start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    Queue<Integer> closedAfter() {
        return closedAfter;
    }

    /// Returns the paths of all requests.
    Set<String> paths() {
        return paths;
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listening.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // The test is over and has closed the listening socket.
            return;
        }
    }

    private void serve(Socket socket) {
        try (socket;
                BufferedReader in =
                        new BufferedReader(
                                new InputStreamReader(
                                        socket.getInputStream(), StandardCharsets.US_ASCII))) {
            OutputStream out = socket.getOutputStream();
            int requests = 0;
            boolean close = false;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith("GET ")) {
                    paths.add(line.split(" ", -1)[1]);
                }
                close |= line.equals("Connection: close");
                if (line.isEmpty()) {
                    out.write(answer);
                    requests++;
                }
                if (line.isEmpty() && close) {
                    closedAfter.add(requests);
                    return;
                }
            }
        } catch (IOException e) {
            // The client may close during a write, at the end of a round.
            return;
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
