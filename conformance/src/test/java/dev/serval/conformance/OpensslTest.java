package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.policy.Counter;
import dev.serval.testkit.Await;
import dev.serval.testkit.TempTree;
import dev.serval.testkit.TestKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Runs `openssl s_client` against a whole server, and has it change its keys or ask for another
/// handshake. It reads one command at a time, so each waits for what it prints.
final class OpensslTest {
    private static final String CHANGE_KEYS = "K\n";
    private static final String CHANGED = "KEYUPDATE";
    private static final String AGAIN = "R\n";

    /// As the documents say.
    private static final int CHANGES_MAX = 32;

    private final TempTree scratch = TempTree.create();
    private final Path out = scratch.path("out");
    private final Served server =
            Served.bare(b -> b.listen(Served.tls()).mount("/echo", Answers::echo));

    @AfterEach
    void stop() {
        server.close();
        scratch.close();
    }

    /// RFC 8446 §4.6.3.
    @Test
    void clientMayChangeItsKeys() throws Exception {
        Process client = client("-tls1_3");
        try {
            changeKeys(client, 3);
            write(client, "GET /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            Await.until("it has the answer", () -> printed().contains("HTTP/1.1 200 OK"));
            assertThat(client.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(server.count(Counter.CONNECTIONS_REFUSED_RECORDS)).isZero();
            assertThat(server.count(Counter.PROTOCOL_ERRORS)).isZero();
        } finally {
            client.destroyForcibly();
        }
    }

    @Test
    void changesOfKeysWithoutEndAreRefused() throws Exception {
        Process client = client("-tls1_3");
        try {
            changeKeys(client, CHANGES_MAX);
            assertThat(server.count(Counter.CONNECTIONS_REFUSED_RECORDS)).isZero();
            write(client, CHANGE_KEYS);
            Await.until(
                    "they are refused",
                    () -> server.count(Counter.CONNECTIONS_REFUSED_RECORDS) == 1);
            assertThat(client.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            client.destroyForcibly();
        }
    }

    /// A client could keep the server busy with that (RFC 5746 §5).
    @Test
    void anotherHandshakeIsRefused() throws Exception {
        Process client = client("-tls1_2");
        try {
            write(client, AGAIN);
            Await.until("it is refused", () -> server.count(Counter.PROTOCOL_ERRORS) == 1);
            assertThat(client.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(server.count(Counter.TLS_HANDSHAKES)).isEqualTo(1);
        } finally {
            client.destroyForcibly();
        }
    }

    /// Starts it, and waits for the end of its handshake.
    private Process client(String version) {
        Process client =
                Programs.start(
                        "openssl",
                        "openssl",
                        out,
                        "s_client",
                        "-connect",
                        "127.0.0.1:" + server.port(),
                        "-CAfile",
                        TestKeys.local().certificate().toString(),
                        version);
        Await.until("it has agreed", () -> printed().contains("Verify return code: 0"));
        return client;
    }

    private void changeKeys(Process client, int times) throws IOException {
        for (int i = 1; i <= times; i++) {
            int before = i;
            write(client, CHANGE_KEYS);
            Await.until("it has sent them", () -> printed().split(CHANGED, -1).length > before);
        }
    }

    private static void write(Process client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        client.getOutputStream().flush();
    }

    private String printed() {
        try {
            return Files.readString(out, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
