package dev.serval.bench.bare;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import com.sun.net.httpserver.SimpleFileServer.OutputLevel;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;

/// A program that runs the server of the JDK's module `jdk.httpserver` with its handler of files and
/// a handler at `/hello`. Arguments: `ROOT PORT LOG`; the log is a file or `-`.
public final class JdkServer {
    private static final int BACKLOG = 1024;
    private static final int LOG_BUFFER_BYTES = 64 << 10;
    private static final byte[] HELLO = "Hello, World!".getBytes(StandardCharsets.US_ASCII);

    private JdkServer() {}

    /// Starts the server, which serves until its process ends.
    ///
    /// @param arguments folder, port and log
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 3) {
            throw new IllegalArgumentException("The arguments must be ROOT PORT LOG");
        }
        Path root = Path.of(arguments[0]).toAbsolutePath();
        int port = Integer.parseInt(arguments[1]);
        HttpServer server =
                HttpServer.create(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
        var files = server.createContext("/", SimpleFileServer.createFileHandler(root));
        var hello = server.createContext("/hello", JdkServer::hello);
        if (!arguments[2].equals("-")) {
            OutputStream log =
                    new BufferedOutputStream(
                            Files.newOutputStream(Path.of(arguments[2])), LOG_BUFFER_BYTES);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(log), "close-log"));
            Filter filter = SimpleFileServer.createOutputFilter(log, OutputLevel.INFO);
            files.getFilters().add(filter);
            hello.getFilters().add(filter);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    private static void hello(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/plain");
        exchange.sendResponseHeaders(200, HELLO.length);
        exchange.getResponseBody().write(HELLO);
        exchange.close();
    }

    private static void close(OutputStream log) {
        try {
            log.close();
        } catch (IOException e) {
            System.getLogger(JdkServer.class.getName())
                    .log(System.Logger.Level.WARNING, "the access log is not complete", e);
        }
    }
}
