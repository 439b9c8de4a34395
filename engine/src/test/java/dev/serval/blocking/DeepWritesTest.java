package dev.serval.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.LeakCheck;
import dev.serval.Serval;
import dev.serval.policy.Limits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Application code that catches stack overflows in `write` and `flush`, at every depth. The
/// framing stays correct, and nothing is sent twice.
@Timeout(240)
final class DeepWritesTest {
    private static final int REQUESTS = 40;

    static Stream<BlockingServerTest.Mode> modes() {
        return BlockingServerTest.modes();
    }

    @ParameterizedTest
    @MethodSource("modes")
    void stackOverflowKeepsFramingAndRepeatsNothing(BlockingServerTest.Mode mode) throws Exception {
        Serval server = mode.serve(DeepWritesTest::answer, Limits.DEFAULT);
        InetSocketAddress address = (InetSocketAddress) server.addresses().getFirst();
        for (int i = 0; i < REQUESTS; i++) {
            check(ask(address, "GET /" + i + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
        }
        server.close();
        LeakCheck.nothingHeld(server);
    }

    private static void answer(BlockingExchange x) throws IOException {
        int number = Integer.parseInt(x.request().target().text().substring(1));
        Lines lines = new Lines(x.output(), 1 + number % 40);
        lines.dive();
        try {
            lines.write();
        } catch (IOException e) {
            // An earlier call failed.
        }
    }

    /// Writes numbered lines close to the end of the stack.
    private static final class Lines {
        private final OutputStream out;
        private final int perFlush;
        private int next;

        Lines(OutputStream out, int perFlush) {
            this.out = out;
            this.perFlush = perFlush;
        }

        @SuppressWarnings("InfiniteRecursion") // until the stack ends
        void dive() {
            try {
                dive();
            } catch (StackOverflowError e) {
                writeGuarded(); // one frame further out than last time
            }
        }

        private void writeGuarded() {
            try {
                if (next < 20_000) {
                    write();
                }
            } catch (StackOverflowError | IOException e) {
                // The next frame further out tries again.
            }
        }

        void write() throws IOException {
            int number = next++;
            byte[] line = new byte[8];
            for (int i = 6, rest = number; i >= 0; i--, rest /= 10) {
                line[i] = (byte) ('0' + rest % 10);
            }
            line[7] = '\n';
            out.write(line);
            if (number % perFlush == 0) {
                out.flush();
            }
        }
    }

    private static String ask(InetSocketAddress address, String request) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), address.getPort())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            byte[] some = new byte[8192];
            for (int n = in.read(some); n >= 0; n = in.read(some)) {
                all.write(some, 0, n);
            }
        } catch (IOException e) {
            // A reset shows that the response is incomplete.
            assertThat(e).hasMessageContaining("reset");
        }
        return all.toString(StandardCharsets.US_ASCII);
    }

    private static void check(String answer) {
        int content = answer.indexOf("\r\n\r\n") + 4;
        if (content < 4 || answer.startsWith("HTTP/1.1 500 ")) {
            return; // nothing was sent
        }
        assertThat(answer).startsWith("HTTP/1.1 200 ");
        String head = answer.substring(0, content);
        if (head.contains("Content-Length: ")) {
            assertThat(head).contains("Content-Length: " + (answer.length() - content) + "\r\n");
            increasing(answer.substring(content));
        } else {
            assertThat(head).contains("Transfer-Encoding: chunked\r\n");
            increasing(dechunked(answer.substring(content)));
        }
    }

    /// Returns the content of chunks, which must be well formed; the last may be cut off.
    private static String dechunked(String chunks) {
        StringBuilder content = new StringBuilder();
        int at = 0;
        while (at < chunks.length()) {
            int end = chunks.indexOf("\r\n", at);
            if (end < 0) {
                return content.toString();
            }
            int length = Integer.parseInt(chunks.substring(at, end), 16);
            int next = end + 2 + length;
            if (next + 2 > chunks.length()) {
                return content.toString();
            }
            assertThat(chunks.substring(next, next + 2)).isEqualTo("\r\n");
            content.append(chunks, end + 2, next);
            at = next + 2;
        }
        return content.toString();
    }

    private static void increasing(String lines) {
        int last = -1;
        for (int at = 0; at + 8 <= lines.length(); at += 8) {
            int number = Integer.parseInt(lines.substring(at, at + 7));
            assertThat(number).isGreaterThan(last);
            last = number;
        }
    }
}
