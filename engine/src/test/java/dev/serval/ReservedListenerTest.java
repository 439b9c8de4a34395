package dev.serval;

import static dev.serval.ListenersTest.ADMIN;
import static dev.serval.ListenersTest.ANY;
import static dev.serval.ListenersTest.ask;
import static dev.serval.ListenersTest.asking;
import static dev.serval.ListenersTest.end;
import static dev.serval.ListenersTest.refuses;
import static dev.serval.ListenersTest.saying;
import static dev.serval.ListenersTest.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Listeners that have their address before they accept, and listeners that change without a socket that
/// closes.
@Timeout(120)
final class ReservedListenerTest {
    @TempDir private Path folder;

    @ParameterizedTest
    @MethodSource("dev.serval.ListenersTest#transports")
    void reservedAddressIsTakenButServesOnlyAfterItIsOpened(String transport) throws IOException {
        Serval server = start(transport);
        Path file = folder.resolve("s");
        ListenerSpec unix = new ListenerSpec(UnixDomainSocketAddress.of(file));
        try (ReservedListener internet = server.listenerChanges().reserve(ADMIN, List.of())) {
            assertThat(server.addresses()).hasSize(1);
            assertThatThrownBy(() -> server.open(new ListenerSpec(internet.address())))
                    .hasMessageContaining("Address already in use");
            try (ReservedListener _ = server.listenerChanges().reserve(unix, List.of())) {
                if (transport.equals("epoll")) {
                    assertThat(refuses(internet.address())).isTrue();
                    assertThat(refuses(unix.address())).isTrue();
                }
            }
            internet.open();
            assertThat(server.addresses()).hasSize(2).endsWith(internet.address());
            for (int i = 0; i < 20; i++) { // on each loop
                assertThat(RawClient.get(internet.address(), "/").text()).isEqualTo("admin");
            }
            Await.until("the file is gone", () -> !Files.exists(file));
            server.open(unix);
            assertThat(RawClient.get(unix.address(), "/").text()).isEqualTo("public");
        } finally {
            end(server);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.serval.ListenersTest#transports")
    void reservedAddressThatIsGivenUpIsFree(String transport) throws IOException {
        Serval server = start(transport);
        try {
            SocketAddress address;
            try (ReservedListener reserved = server.listenerChanges().reserve(ADMIN, List.of())) {
                address = reserved.address();
            }
            assertThat(refuses(address)).isTrue();
            Await.until(
                    "the address is free",
                    () -> {
                        try (ServerSocket _ = bound(address)) {
                            return true;
                        } catch (IOException e) {
                            return false;
                        }
                    });
            assertThat(server.services()).hasSize(1);
        } finally {
            end(server);
        }
    }

    private static ServerSocket bound(SocketAddress address) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.bind(address);
        return socket;
    }

    @ParameterizedTest
    @MethodSource("dev.serval.ListenersTest#transports")
    void reservedListenerHasTheSettingsOfItsOpening(String transport) throws IOException {
        Serval server = start(transport);
        try (ReservedListener reserved = server.listenerChanges().reserve(ADMIN, List.of())) {
            server.limits(server.limits().with(draft -> draft.head.lineMaxBytes = 20));
            reserved.open();
            String longPath = "/" + "x".repeat(20);
            assertThat(RawClient.get(reserved.address(), longPath).status()).isEqualTo(414);
        } finally {
            end(server);
        }
    }

    private static SocketAddress everywhere(SocketAddress address) {
        return new InetSocketAddress("0.0.0.0", ((InetSocketAddress) address).getPort());
    }

    @ParameterizedTest
    @MethodSource("dev.serval.ListenersTest#transports")
    void overlappingAddressNeedsOneThatItReplaces(String transport) throws IOException {
        Serval server = start(transport);
        SocketAddress one = server.addresses().getFirst();
        try {
            ListenerSpec all = new ListenerSpec(everywhere(one)).withHandler(saying("all"));
            assertThatThrownBy(() -> server.listenerChanges().reserve(all, List.of()))
                    .hasMessageContaining("Address already in use");
            try (ReservedListener reserved = server.listenerChanges().reserve(all, List.of(one))) {
                reserved.open();
                assertThat(RawClient.get(one, "/").text()).as("the nearer one").isEqualTo("public");
                assertThat(server.close(one)).isTrue();
                assertThat(RawClient.get(one, "/").text()).isEqualTo("all");
            }
        } finally {
            end(server);
        }
    }

    /// Clients ask without pause while the address widens, and narrows again.
    @ParameterizedTest
    @MethodSource("dev.serval.ListenersTest#transports")
    void addressThatWidensLosesNoRequest(String transport) throws Exception {
        Serval server = start(transport);
        SocketAddress one = server.addresses().getFirst();
        ListenerSpec all = new ListenerSpec(everywhere(one)).withHandler(saying("public"));
        AtomicReference<Throwable> failed = new AtomicReference<>();
        AtomicBoolean over = new AtomicBoolean();
        Thread client = asking(one, over, failed);
        try {
            for (int i = 0; i < 20; i++) {
                try (ReservedListener reserved =
                        server.listenerChanges().reserve(all, List.of(one))) {
                    reserved.open();
                }
                server.listenerChanges().join(one, all.address());
                assertThat(server.addresses()).containsExactly(one, all.address());
                assertThat(server.close(all.address())).isTrue();
                server.listenerChanges().serve(one, new ListenerSpec(one));
            }
        } finally {
            over.set(true);
            client.join();
            end(server);
        }
        assertThat(failed.get()).isNull();
    }

    @ParameterizedTest
    @MethodSource("dev.serval.ListenersTest#transports")
    void listenerServesOtherwiseFromItsNextConnectionOn(String transport) throws IOException {
        Serval server = start(transport);
        SocketAddress address = server.open(ADMIN.withLimits(Limits.DEFAULT));
        try (RawClient idle = RawClient.connect(address)) {
            assertThat(ask(idle)).isEqualTo("admin");
            server.listenerChanges().serve(address, new ListenerSpec(address).withBacklog(7));
            assertThat(server.addresses()).hasSize(2);
            for (int i = 0; i < 20; i++) { // on each loop
                assertThat(RawClient.get(address, "/").text()).isEqualTo("public");
            }
            idle.expectClosed();
            Await.until("the former service is gone", () -> server.services().size() == 1);
            assertThatThrownBy(() -> server.listenerChanges().serve(ANY, ADMIN))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("No listener is at ");
        } finally {
            end(server);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.serval.ListenersTest#transports")
    void joinedListenersHaveOneCount(String transport) throws IOException {
        Serval server = start(transport);
        Limits one = Limits.DEFAULT.with(draft -> draft.counts.connectionsMax = 1);
        SocketAddress first = server.open(ADMIN.withLimits(one));
        SocketAddress second = server.open(ADMIN);
        try {
            server.listenerChanges().join(second, first);
            try (RawClient client = RawClient.connect(first)) {
                assertThat(ask(client)).isEqualTo("admin");
                assertThat(refuses(second)).isTrue();
                assertThat(server.connections()).isEqualTo(1);
            }
            Await.until("the first client is gone", () -> server.connections() == 0);
            assertThat(RawClient.get(second, "/").text()).isEqualTo("admin");
            assertThat(server.services()).hasSize(2);
            assertThat(server.close(second)).isTrue();
            assertThat(server.close(first)).isTrue();
            Await.until("their service is gone", () -> server.services().size() == 1);
        } finally {
            end(server);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.serval.ListenersTest#transports")
    void socketForItsOwnerHasItsPermissionsFromTheStart(String transport) throws IOException {
        Serval server = start(transport);
        Path file = folder.resolve("owner");
        try (ReservedListener reserved =
                server.listenerChanges()
                        .reserve(
                                new ListenerSpec(UnixDomainSocketAddress.of(file)).withOwnerOnly(),
                                List.of())) {
            assertThat(Files.getPosixFilePermissions(file))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
            reserved.open();
            assertThat(RawClient.get(reserved.address(), "/").text()).isEqualTo("public");
            assertThat(server.close(reserved.address())).isTrue();
            assertThat(folder).isEmptyDirectory();
        } finally {
            end(server);
        }
    }

    /// A loop reserves permits for several requests at a time, and keeps some.
    @ParameterizedTest
    @MethodSource("dev.serval.ListenersTest#transports")
    void changesOfAListenerLoseNoPermits(String transport) throws IOException {
        Handler working = x -> x.run(ExecutorKind.WORKER, () -> saying("done"));
        Serval server =
                Serval.listen(0)
                        .transport(transport)
                        .loops(1)
                        .limits(Limits.DEFAULT.with(draft -> draft.counts.exchangesMax = 128))
                        .mount("/", working)
                        .withoutFlagWarning()
                        .start();
        SocketAddress address = server.addresses().getFirst();
        try {
            for (int i = 0; i < 70; i++) {
                server.listenerChanges().serve(address, new ListenerSpec(address));
                assertThat(RawClient.get(address, "/").status())
                        .as("after change " + i)
                        .isEqualTo(200);
            }
        } finally {
            end(server);
        }
    }
}
