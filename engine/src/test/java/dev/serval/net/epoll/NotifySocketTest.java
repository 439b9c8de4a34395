package dev.serval.net.epoll;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Datagrams to a service manager.
final class NotifySocketTest {
    @TempDir private Path folder;

    @BeforeEach
    void needsEpoll() {
        Assumptions.assumeTrue(
                EpollNetwork.unavailable() == null, "needs epoll: " + EpollNetwork.unavailable());
    }

    /// Binds an address of a service manager.
    private interface Naming {
        void write(SocketAddresses names) throws IOException;
    }

    /// Returns what arrives there after two messages were sent.
    private static String received(String address, Naming naming) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            Syscalls calls = new Syscalls(arena);
            SocketAddresses names = new SocketAddresses(arena);
            naming.write(names);
            int fd = calls.socket(Syscalls.AF_UNIX, Syscalls.SOCK_DGRAM);
            assertThat(calls.bind(fd, names.address(), names.written())).isZero();
            NotifySocket.send(address, "READY=1");
            NotifySocket.send(address, "MAINPID=7\nSTATUS=ü");
            MemorySegment buffer = arena.allocate(100);
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < 2; i++) {
                int count = (int) calls.receive(fd, buffer.address(), buffer.byteSize());
                byte[] bytes = new byte[count];
                MemorySegment.copy(buffer, JAVA_BYTE, 0, bytes, 0, count);
                all.append('[').append(new String(bytes, StandardCharsets.UTF_8)).append(']');
            }
            calls.close(fd);
            return all.toString();
        }
    }

    @Test
    void eachTextIsADatagram() throws IOException {
        String path = folder.resolve("notify").toString();
        assertThat(received(path, names -> names.write(UnixDomainSocketAddress.of(path))))
                .isEqualTo("[READY=1][MAINPID=7\nSTATUS=ü]");
    }

    @Test
    void socketMayHaveNoFile() throws IOException {
        String name = "serval-test-" + ProcessHandle.current().pid();
        assertThat(received("@" + name, names -> names.writeAbstract(name)))
                .isEqualTo("[READY=1][MAINPID=7\nSTATUS=ü]");
    }

    @Test
    void nobodyThereIsAnErrorThatNamesTheAddress() {
        String path = folder.resolve("none").toString();
        assertThatThrownBy(() -> NotifySocket.send(path, "READY=1"))
                .isInstanceOf(IOException.class)
                .hasMessage(path + ": No such file or directory");
    }
}
