package dev.serval.bench.bare;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.file.Path;

/// A program that runs Vert.x without its router: files by `sendFile`, and a handler at `/hello`.
/// Arguments: `ROOT PORT CPUS`. It has an event loop with a verticle for each CPU.
public final class VertxServer {
    private static final int BACKLOG = 1024;
    private static final Buffer HELLO = Buffer.buffer("Hello, World!");
    private static final CharSequence TEXT = HttpHeaders.createOptimized("text/plain");
    private static final CharSequence HELLO_LENGTH =
            HttpHeaders.createOptimized(String.valueOf(HELLO.length()));

    private VertxServer() {}

    /// Starts the server, which serves until its process ends.
    ///
    /// @param arguments folder, port and number of CPUs
    public static void main(String[] arguments) {
        if (arguments.length != 3) {
            throw new IllegalArgumentException("The arguments must be ROOT PORT CPUS");
        }
        Path root = Path.of(arguments[0]).toAbsolutePath().normalize();
        int port = Integer.parseInt(arguments[1]);
        int cpus = Integer.parseInt(arguments[2]);
        Vertx vertx =
                Vertx.vertx(
                        new VertxOptions()
                                .setEventLoopPoolSize(cpus)
                                .setPreferNativeTransport(true));
        vertx.deployVerticle(
                        () -> new Answers(root, port), new DeploymentOptions().setInstances(cpus))
                .onFailure(failure -> {
                    System.getLogger(VertxServer.class.getName())
                            .log(System.Logger.Level.ERROR, "the server did not start", failure);
                    System.exit(1);
                });
    }

    /// One event loop with its own socket.
    private static final class Answers extends AbstractVerticle {
        private final Path root;
        private final int port;

        Answers(Path root, int port) {
            this.root = root;
            this.port = port;
        }

        @Override
        public void start() {
            HttpServerOptions options =
                    new HttpServerOptions()
                            .setHost("127.0.0.1")
                            .setPort(port)
                            .setAcceptBacklog(BACKLOG);
            vertx.createHttpServer(options).requestHandler(this::answer).listen();
        }

        private void answer(HttpServerRequest request) {
            HttpServerResponse response = request.response();
            String path = String.valueOf(request.path());
            if (path.equals("/hello")) {
                response.putHeader(HttpHeaders.CONTENT_TYPE, TEXT)
                        .putHeader(HttpHeaders.CONTENT_LENGTH, HELLO_LENGTH)
                        .end(HELLO);
                return;
            }
            Path file = root.resolve(path.substring(1)).normalize();
            if (!file.startsWith(root)) {
                response.setStatusCode(404).end();
                return;
            }
            response.sendFile(file.toString())
                    .onFailure(failure -> {
                        if (!response.ended()) {
                            response.setStatusCode(404).end();
                        }
                    });
        }
    }
}
