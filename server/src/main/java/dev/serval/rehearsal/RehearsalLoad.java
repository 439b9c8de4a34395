package dev.serval.rehearsal;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The requests of a rehearsal. They run the hot code of the server so often that the cache gets its
/// profile, and the JVM of a later start compiles it from the first moment. Without them, the heads
/// of a few hundred clients that come together just after a start keep a loop busy for some tenths
/// of a second. Used by the main thread.
final class RehearsalLoad {
    private static final int PATIENCE_MILLIS = 10_000;
    private static final int PIPELINED = 32;
    private static final int FIELDS = 60;
    private static final String FIELD_VALUE = "a-value-of-some-length-".repeat(20);

    private final URI server;

    /// Creates the load of a server.
    RehearsalLoad(URI server) {
        this.server = server;
    }

    /// Sends all requests and reads all answers.
    ///
    /// @param paths the paths to request
    /// @throws IOException if the server does not answer
    void run(List<String> paths, int rounds) throws IOException {
        for (int round = 0; round < rounds; round++) {
            try (Socket client = connect()) {
                pipelined(client, paths, round);
                longHead(client, paths.getFirst(), round);
            }
            try (Socket client = connect()) {
                dripping(client, paths.getFirst());
            }
        }
    }

    private Socket connect() throws IOException {
        Socket client = new Socket();
        client.connect(new InetSocketAddress(server.getHost(), server.getPort()), PATIENCE_MILLIS);
        client.setSoTimeout(PATIENCE_MILLIS);
        return client;
    }

    /// Sends the fields of a browser, which differ from one round to the next.
    private static void pipelined(Socket client, List<String> paths, int round) throws IOException {
        StringBuilder requests = new StringBuilder();
        for (int i = 0; i < PIPELINED; i++) {
            requests.append(start(paths.get(i % paths.size())))
                    .append("User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:")
                    .append(round)
                    .append(")\r\nAccept: text/html,application/xhtml+xml,*/*;q=0.8\r\n")
                    .append("Accept-Language: en-US,en;q=0.5\r\nCookie: a=")
                    .append(i)
                    .append("\r\n\r\n");
        }
        send(client, requests.toString());
        read(client, PIPELINED);
    }

    /// Sends a head that needs more than one read.
    private static void longHead(Socket client, String path, int round) throws IOException {
        StringBuilder head = new StringBuilder(start(path));
        for (int i = 0; i < FIELDS; i++) {
            head.append("X-").append(round).append('-').append(i).append(": ");
            head.append(FIELD_VALUE).append("\r\n");
        }
        send(client, head.substring(0, head.length() / 2));
        send(client, head.substring(head.length() / 2) + "\r\n");
        read(client, 1);
    }

    /// Sends a head in pieces, and then one that is refused.
    private static void dripping(Socket client, String path) throws IOException {
        for (String piece : start(path).split("(?<=[ :\n])", -1)) {
            send(client, piece);
        }
        send(client, "\r\n");
        read(client, 1);
        send(client, "GET /\0 HTTP/1.1\r\n\r\n");
        read(client, 1);
    }

    private static String start(String path) {
        return "GET /" + path + " HTTP/1.1\r\nHost: localhost\r\n";
    }

    private static void send(Socket client, String text) throws IOException {
        OutputStream out = client.getOutputStream();
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /// Reads so many answers. All of them have a length.
    private static void read(Socket client, int answers) throws IOException {
        InputStream in = new BufferedInputStream(client.getInputStream());
        for (int i = 0; i < answers; i++) {
            long length = 0;
            for (String line = line(in); !line.isEmpty(); line = line(in)) {
                if (line.startsWith("Content-Length: ")) {
                    length = Long.parseLong(line.substring("Content-Length: ".length()));
                }
            }
            in.skipNBytes(length);
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("The server ended a connection during the rehearsal");
            }
            if (b != '\r') {
                line.append((char) b);
            }
        }
        return line.toString();
    }
}
