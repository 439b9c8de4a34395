package dev.serval.bench.bare;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.accesslog.AccessLogFeature;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.staticcontent.FileSystemHandlerConfig;
import io.helidon.webserver.staticcontent.StaticContentFeature;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A program that runs the web server of Helidon SE with its static content, and a handler at
/// `/hello`. Arguments: `ROOT PORT LOG`; the log is a file or `-`.
public final class HelidonServer {
    private static final int BACKLOG = 1024;
    private static final int LOG_BUFFER_BYTES = 64 << 10;
    private static final byte[] HELLO = "Hello, World!".getBytes(StandardCharsets.US_ASCII);

    /// The JDK forgets loggers to which nothing refers, and with them their handlers.
    private static final Logger ACCESS_LOG = Logger.getLogger(AccessLogFeature.DEFAULT_LOGGER_NAME);

    private HelidonServer() {}

    /// Starts the server, which serves until its process ends.
    ///
    /// @param arguments folder, port and log
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 3) {
            throw new IllegalArgumentException("The arguments must be ROOT PORT LOG");
        }
        Path root = Path.of(arguments[0]).toAbsolutePath();
        FileSystemHandlerConfig files =
                FileSystemHandlerConfig.builder().location(root).cachedFiles(names(root)).build();
        WebServerConfig.Builder server =
                WebServer.builder()
                        .host("127.0.0.1")
                        .port(Integer.parseInt(arguments[1]))
                        .backlog(BACKLOG)
                        // It would find the access log on the class path and write to the console.
                        .featuresDiscoverServices(false)
                        .routing(routing ->
                                routing.get("/hello", HelidonServer::hello)
                                        .register("/", StaticContentFeature.createService(files)));
        boolean log = !arguments[2].equals("-");
        if (log) {
            server.addFeature(AccessLogFeature.builder().commonLogFormat().build());
        }
        server.build().start();
        if (log) {
            addLog(Path.of(arguments[2])); // the start has set up the other loggers
        }
    }

    private static void hello(ServerRequest request, ServerResponse response) {
        response.headers().set(HeaderNames.CONTENT_TYPE, "text/plain");
        response.send(HELLO);
    }

    private static Set<String> names(Path root) throws IOException {
        try (Stream<Path> files = Files.list(root)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .collect(Collectors.toSet());
        }
    }

    /// Has the lines written through a buffer, as other servers do.
    private static void addLog(Path file) throws IOException {
        Formatter lines =
                new Formatter() {
                    @Override
                    public String format(LogRecord line) {
                        return line.getMessage() + "\n";
                    }
                };
        BufferedOutputStream out =
                new BufferedOutputStream(Files.newOutputStream(file), LOG_BUFFER_BYTES);
        StreamHandler handler = new StreamHandler(out, lines);
        ACCESS_LOG.setLevel(Level.INFO);
        ACCESS_LOG.setUseParentHandlers(false);
        ACCESS_LOG.addHandler(handler);
        Runtime.getRuntime().addShutdownHook(new Thread(handler::flush, "flush-log"));
    }
}
