package dev.serval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.net.epoll.EpollNetwork;
import dev.serval.testkit.Await;
import dev.serval.testkit.ChildJvm;
import dev.serval.testkit.FreePort;
import dev.serval.testkit.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Listeners on sockets that another process has opened.
@Timeout(120)
final class ListeningSocketTest {
    private static final Path ACTIVATE = Path.of("/usr/bin/systemd-socket-activate");
    private static final String ACCEPTS = "00010000"; // __SO_ACCEPTCON in /proc/net/unix
    private static final long PID = 4711;

    @TempDir private Path folder;

    @BeforeEach
    void needsEpoll() {
        Assumptions.assumeTrue(
                EpollNetwork.unavailable() == null, "needs epoll: " + EpollNetwork.unavailable());
    }

    /// Returns a server that does not accept any more, with its only socket.
    private static ListeningSocket socketAt(SocketAddress address) throws IOException {
        try (Serval first =
                Serval.builder()
                        .listen(address)
                        .transport("epoll")
                        .loops(1)
                        .mount("/", InheritingServer.saying("first"))
                        .withoutFlagWarning()
                        .start()) {
            ListeningSocket socket = first.handOver().getFirst();
            first.leave();
            return socket;
        }
    }

    private static SocketAddress any() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static List<ListeningSocket> inherited(int first, String count, String names)
            throws IOException {
        return ListeningSocket.inherited(
                Map.of("LISTEN_PID", "" + PID, "LISTEN_FDS", count, "LISTEN_FDNAMES", names),
                PID,
                first);
    }

    @Test
    void variablesNameTheSockets() throws IOException {
        try (ListeningSocket open = socketAt(any())) {
            int number = open.descriptors().getFirst();
            ListeningSocket found = inherited(number, "1", "web").getFirst();
            assertThat(found.name()).isEqualTo("web");
            assertThat(found.address()).isEqualTo(open.address());
            assertThat(found.descriptors()).containsExactly(number);
            assertThat(found.ownsFile()).isFalse();
            assertThat(found).hasToString("web at " + open.address());
            for (String names : List.of("", "a:b")) {
                assertThat(inherited(number, "1", names).getFirst().name()).isEqualTo("unknown");
            }
        }
    }

    @Test
    void socketsOfAnotherProcessAreNotTaken() throws IOException {
        assertThat(ListeningSocket.inherited(Map.of(), PID)).isEmpty();
        assertThat(ListeningSocket.inherited(Map.of("LISTEN_PID", "1", "LISTEN_FDS", "1"), PID))
                .isEmpty();
        assertThat(inherited(3, "0", "")).isEmpty();
    }

    @Test
    void wrongVariablesAreAnError() {
        assertThatThrownBy(() -> inherited(3, "x", ""))
                .hasMessage("LISTEN_FDS must be a number, not \"x\"");
        assertThatThrownBy(() -> inherited(3, "1025", ""))
                .hasMessage("LISTEN_FDS must be from 0 to 1024, not 1025");
        assertThatThrownBy(() -> ListeningSocket.inherited(Map.of("LISTEN_FDS", "1"), PID))
                .hasMessage("LISTEN_PID must be a number, not \"\"");
        assertThatThrownBy(() -> inherited(900_000, "1", ""))
                .isInstanceOf(IOException.class)
                .hasMessage("Descriptor 900000: Bad file descriptor");
        assertThatThrownBy(() -> inherited(1, "1", "")) // standard output
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("Descriptor 1: Not a socket");
    }

    @Test
    void connectedSocketIsNoListener() throws IOException {
        try (ListeningSocket open = socketAt(any());
                Serval server = start(3, open);
                RawClient client = RawClient.connect(open.address())) {
            assertThat(client.exchange("GET / HTTP/1.1\r\nHost: a\r\n\r\n").status())
                    .isEqualTo(200);
            List<String> faults = new ArrayList<>();
            for (int number = 3; number < 512; number++) {
                try {
                    inherited(number, "1", "");
                } catch (IOException e) {
                    faults.add(String.valueOf(e.getMessage()));
                }
            }
            assertThat(faults).anyMatch(text -> text.contains("is no listening socket"));
            assertThat(server.addresses()).hasSize(1);
        }
    }

    @Test
    void allLoopsShareOneSocket() throws IOException {
        try (ListeningSocket open = socketAt(any())) {
            Serval server = start(3, open);
            try {
                assertThat(server.addresses()).containsExactly(open.address());
                for (int i = 0; i < 200; i++) {
                    assertThat(RawClient.get(open.address(), "/").text()).isEqualTo("second");
                }
            } finally {
                server.close();
                LeakCheck.nothingHeld(server);
            }
        }
    }

    @Test
    void listenerOpensAgainOnTheSameSocket() throws IOException {
        try (ListeningSocket open = socketAt(any());
                Serval server = start(2, open)) {
            assertThatThrownBy(() -> server.open(ListenerSpec.on(open)))
                    .isInstanceOf(IOException.class)
                    .hasMessageEndingWith("This server has a listener there already");
            assertThat(server.close(open.address())).isTrue();
            // No client is refused meanwhile: this one waits.
            try (RawClient waiting = RawClient.connect(open.address())) {
                waiting.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                server.open(ListenerSpec.on(open));
                assertThat(waiting.answer().text()).isEqualTo("second");
            }
        }
    }

    @Test
    void fileOfAServiceManagerStays() throws IOException {
        Path file = folder.resolve("s");
        try (ListeningSocket open = socketAt(UnixDomainSocketAddress.of(file));
                ListeningSocket passed =
                        inherited(open.descriptors().getFirst(), "1", "").getFirst()) {
            assertThat(open.ownsFile()).isTrue();
            assertThat(passed.address()).isEqualTo(UnixDomainSocketAddress.of(file));
            try (Serval server = start(2, passed)) {
                assertThat(RawClient.get(passed.address(), "/").text()).isEqualTo("second");
                server.close(passed.address());
                assertThat(file).exists();
            }
        }
    }

    @Test
    void fileOfAPredecessorIsDeletedWithTheListener() throws IOException {
        Path file = folder.resolve("s");
        try (ListeningSocket open = socketAt(UnixDomainSocketAddress.of(file));
                Serval server = start(2, open)) {
            assertThat(RawClient.get(open.address(), "/").text()).isEqualTo("second");
            server.close(open.address());
            assertThat(file).doesNotExist();
        }
    }

    @Test
    void otherTransportsSayThatEpollIsNeeded() throws IOException {
        try (ListeningSocket open = socketAt(any());
                Serval server = Serval.listen(0).transport("nio").withoutFlagWarning().start()) {
            assertThatThrownBy(() -> server.open(ListenerSpec.on(open)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("only with the epoll transport");
            assertThatThrownBy(server::handOver)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("only with the epoll transport");
            assertThat(server.addresses()).hasSize(1);
        }
    }

    @Test
    void serviceManagerPassesSeveralSockets() throws IOException {
        Assumptions.assumeTrue(
                Files.isExecutable(ACTIVATE),
                "needs systemd-socket-activate (Debian package systemd)");
        int port = FreePort.find();
        Path file = folder.resolve("s");
        ProcessBuilder server = ChildJvm.command(List.of(), InheritingServer.class);
        List<String> command = new ArrayList<>();
        command.addAll(
                List.of(
                        ACTIVATE.toString(),
                        "--listen=127.0.0.1:" + port,
                        "--listen=" + file,
                        "--fdname=web:local"));
        command.addAll(server.command());
        try (ChildJvm child =
                ChildJvm.start(new ProcessBuilder(command), folder.resolve("errors"))) {
            Await.until("the manager listens", () -> listens(file));
            UnixDomainSocketAddress local = UnixDomainSocketAddress.of(file);
            // The first client makes the manager start the server.
            assertThat(RawClient.get(local, "/").text()).isEqualTo("local");
            SocketAddress web = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            assertThat(RawClient.get(web, "/").text()).isEqualTo("web");
            assertThat(child.answer()).isEqualTo("inherited");
        }
    }

    /// Returns whether a process listens at a file. The file is there before, and a connection would
    /// make the manager start the server.
    private static boolean listens(Path file) {
        try (Stream<String> sockets = Files.lines(Path.of("/proc/net/unix"))) {
            return sockets.anyMatch(
                    line -> line.endsWith(" " + file) && line.contains(" " + ACCEPTS + " "));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Serval start(int loops, ListeningSocket socket) throws IOException {
        return Serval.builder()
                .listen(ListenerSpec.on(socket))
                .transport("epoll")
                .loops(loops)
                .mount("/", InheritingServer.saying("second"))
                .withoutFlagWarning()
                .start();
    }
}
