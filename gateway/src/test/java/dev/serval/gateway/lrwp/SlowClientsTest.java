package dev.serval.gateway.lrwp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.lrwp.SocketPeer.Style;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Case 22: 60 peers that each answer 16 MB to clients that read nothing, with a heap of 256 MB.
@Tag("long")
final class SlowClientsTest {
    private static final int PEERS = 60;
    private static final int CONTENT_BYTES = 16 << 20;
    private static final int SIP_BYTES = 512; // more than the head of the response

    @Test
    void memoryStaysBoundedAndPeersBecomeFree() throws Exception {
        byte[] output = new byte[CONTENT_BYTES + 4];
        Arrays.fill(output, (byte) 'x');
        System.arraycopy(Messages.bytes("A:\n\n"), 0, output, 0, 4);
        Process process = start();
        List<SocketPeer> peers = new ArrayList<>();
        List<RawClient> clients = new ArrayList<>();
        int[] sips = new int[1];
        try (BufferedReader lines =
                        new BufferedReader(
                                new InputStreamReader(
                                        process.getInputStream(), StandardCharsets.UTF_8));
                OutputStream commands = process.getOutputStream()) {
            List<String> ports = List.of(line(lines).split(" ", -1));
            SocketAddress http = at(ports.get(0));
            SocketAddress lrwp = at(ports.get(1));
            for (int i = 0; i < PEERS; i++) {
                peers.add(new SocketPeer(lrwp, "app", Style.TWO_WRITES, _ -> output));
            }
            Await.until(
                    "all have registered",
                    () -> peers.stream().allMatch(peer -> peer.handshake().equals("OK")));
            for (int i = 0; i < PEERS; i++) {
                clients.add(
                        RawClient.connect(http, 64 << 10)
                                .send("GET /app HTTP/1.1\r\nHost: h\r\n\r\n"));
            }
            Await.until(
                    "every answer has left its peer",
                    Duration.ofSeconds(100),
                    () -> {
                        clients.forEach(client -> client.bytes(SIP_BYTES)); // none is dropped
                        sips[0]++;
                        return peers.stream().mapToInt(SocketPeer::served).sum() == PEERS
                                || !process.isAlive();
                    });
            assertThat(process.isAlive()).as("the server lives").isTrue();
            // What the peers have written may still be on its way to the server.
            Await.until(
                    "the server has taken every answer",
                    Duration.ofSeconds(100),
                    () -> status(lines, commands).contains("peers=60, busy=0, queued=0"));
            RawClient one = clients.getFirst(); // now it reads the rest
            byte[] content = one.bytes(CONTENT_BYTES - sips[0] * SIP_BYTES);
            assertThat(content).containsOnly((byte) 'x');
        } finally {
            clients.forEach(RawClient::close);
            process.destroy();
            boolean ended = process.waitFor(20, TimeUnit.SECONDS);
            if (!ended) {
                process.destroyForcibly();
            }
            for (SocketPeer peer : peers) {
                peer.close();
            }
        }
    }

    private static String status(BufferedReader lines, OutputStream commands) {
        try {
            commands.write('\n');
            commands.flush();
            return line(lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String line(BufferedReader lines) throws IOException {
        @Nullable String line = lines.readLine();
        if (line == null) {
            throw new AssertionError("The server has ended");
        }
        return line;
    }

    private static SocketAddress at(String port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
    }

    private static Process start() throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                        "--add-opens=java.base/java.io=ALL-UNNAMED",
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SlowClients.class.getName()));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }
}
