package dev.serval.log;

import dev.serval.conn.MemoryServer;
import dev.serval.exchange.Service;
import dev.serval.handler.AccessRecord;
import dev.serval.handler.Handler;
import dev.serval.net.memory.MemoryPeer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;

/// A server in memory with an access log. The time is that of the server's clock: 1 January 2026.
final class LoggedServer implements AutoCloseable {
    private static final Duration WAIT = Duration.ofSeconds(20);

    private final MemoryServer server;
    private final AccessLogs logs;
    private final AccessLog log;
    private final Path file;
    private MemoryPeer client;

    private LoggedServer(Path file, LogFormat format, boolean shortened, MemoryServer server)
            throws IOException {
        this.server = server;
        this.file = file;
        this.logs = new AccessLogs();
        this.log =
                logs.add(
                        new LogSettings(file, format, shortened, Rotation.NEVER, ZoneId.of("UTC")));
        listen(server, log);
        this.client = server.connect();
    }

    static LoggedServer of(Path folder, String format, Handler handler) throws IOException {
        LogFormat compiled = LogFormat.of(format, ZoneId.of("UTC"));
        return new LoggedServer(
                folder.resolve("access.log"), compiled, false, MemoryServer.of(handler));
    }

    static LoggedServer shortened(Path folder, Handler handler) throws IOException {
        LogFormat compiled = LogFormat.of("%h", ZoneId.of("UTC"));
        return new LoggedServer(
                folder.resolve("access.log"), compiled, true, MemoryServer.of(handler));
    }

    /// Lets `log` receive the exchanges of a server.
    static void listen(MemoryServer server, AccessRecord.Listener log) {
        Service.Settings was = server.service().settings();
        server.service()
                .replace(
                        new Service.Settings(
                                was.limits(), was.handler(), was.pages(), log, was.mapping()));
    }

    MemoryServer server() {
        return server;
    }

    AccessLogs logs() {
        return logs;
    }

    AccessLog log() {
        return log;
    }

    /// Takes another client.
    MemoryPeer client(String from) {
        client = server.connect(from);
        return client;
    }

    /// Sends a text and returns the answer.
    String ask(String text) {
        return server.ask(client, text);
    }

    /// Sends a head with a Host, and returns the lines of the log.
    List<String> logged(String head) throws IOException {
        ask(head.replace("\n", "\r\n") + "\r\nHost: a.example\r\n\r\n");
        return lines();
    }

    /// Returns the lines of the log so far.
    List<String> lines() throws IOException {
        logs.flush(WAIT);
        return Files.readAllLines(file);
    }

    @Override
    public void close() {
        server.close();
        logs.close();
    }
}
