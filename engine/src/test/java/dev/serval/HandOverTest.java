package dev.serval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.net.epoll.DescriptorChannel;
import dev.serval.net.epoll.EpollNetwork;
import dev.serval.testkit.Await;
import dev.serval.testkit.ChildJvm;
import dev.serval.testkit.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Listening sockets that go from server to server while clients connect without pause.
@Timeout(120)
final class HandOverTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(50);

    @TempDir private Path folder;

    @BeforeEach
    void needsEpoll() {
        Assumptions.assumeTrue(
                EpollNetwork.unavailable() == null, "needs epoll: " + EpollNetwork.unavailable());
    }

    /// Clients that open a connection for each request, until they are told to stop.
    private static final class Clients implements AutoCloseable {
        private final ExecutorService threads = Executors.newCachedThreadPool();
        private final List<Future<?>> running = new ArrayList<>();
        private final AtomicBoolean over = new AtomicBoolean();
        private final AtomicInteger answers = new AtomicInteger();

        Clients(List<SocketAddress> addresses) {
            for (SocketAddress address : addresses) {
                running.add(threads.submit(() -> ask(address)));
                running.add(threads.submit(() -> ask(address)));
            }
        }

        private void ask(SocketAddress address) {
            while (!over.get()) {
                assertThat(RawClient.get(address, "/").status()).isEqualTo(200);
                answers.incrementAndGet();
            }
        }

        int answers() {
            return answers.get();
        }

        void awaitMore(int number) {
            int before = answers();
            Await.until(
                    "more answers",
                    PATIENCE,
                    () ->
                            answers() >= before + number
                                    || running.stream().anyMatch(Future::isDone));
        }

        /// Fails if a client has failed.
        void end() throws Exception {
            over.set(true);
            for (Future<?> one : running) {
                one.get();
            }
        }

        @Override
        public void close() {
            over.set(true);
            threads.shutdownNow();
        }
    }

    @Test
    void noRequestIsLostBetweenServersWithOtherNumbersOfLoops() throws Exception {
        Path file = folder.resolve("s");
        Serval server =
                start(
                        3,
                        List.of(
                                new ListenerSpec(any()),
                                new ListenerSpec(UnixDomainSocketAddress.of(file))));
        List<SocketAddress> addresses = server.addresses();
        try (Clients clients = new Clients(addresses)) {
            for (int loops : List.of(2, 1, 4, 2, 3, 1)) {
                clients.awaitMore(500);
                Serval successor = handOver(server, loops);
                assertThat(successor.addresses()).isEqualTo(addresses);
                server.stop(PATIENCE);
                LeakCheck.nothingHeld(server);
                server = successor;
            }
            clients.awaitMore(500);
            clients.end();
            assertThat(clients.answers()).isGreaterThan(3000);
        } finally {
            server.close();
        }
        assertThat(file).as("the last server deletes the file").doesNotExist();
    }

    private Serval handOver(Serval server, int loops) throws Exception {
        Path door = folder.resolve("door");
        List<ListeningSocket> given = server.handOver();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            Future<?> giving =
                    threads.submit(() -> {
                        HandOver.give(door, given, PATIENCE);
                        return true;
                    });
            Serval successor;
            try (HandOver taken = HandOver.take(door, PATIENCE)) {
                successor = start(loops, taken.sockets().stream().map(ListenerSpec::on).toList());
                taken.confirm();
                taken.sockets().forEach(ListeningSocket::close);
            }
            giving.get();
            server.leave();
            return successor;
        } finally {
            given.forEach(ListeningSocket::close);
        }
    }

    @Test
    void noRequestIsLostBetweenProcesses() throws Exception {
        Path door = folder.resolve("door");
        try (ChildJvm child =
                ChildJvm.start(
                        ChildJvm.command(List.of(), InheritingServer.class),
                        folder.resolve("errors"))) {
            int port = Integer.parseInt(child.answer().substring("port ".length()));
            SocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            try (Clients clients = new Clients(List.of(address))) {
                clients.awaitMore(200);
                ExecutorService threads = Executors.newSingleThreadExecutor();
                Future<String> end = threads.submit(() -> child.ask(door.toString()));
                try (HandOver taken = HandOver.take(door, PATIENCE);
                        Serval successor =
                                start(3, taken.sockets().stream().map(ListenerSpec::on).toList())) {
                    assertThat(taken.sockets()).hasSize(1);
                    assertThat(taken.sockets().getFirst().descriptors()).hasSize(2);
                    taken.confirm();
                    taken.sockets().forEach(ListeningSocket::close);
                    assertThat(end.get()).isEqualTo("handed over");
                    clients.awaitMore(200);
                    clients.end();
                    assertThat(successor.addresses()).containsExactly(address);
                } finally {
                    threads.shutdownNow();
                }
            }
        }
    }

    @Test
    void onlyTheUserOfThePredecessorCanOpenTheFile() throws Exception {
        Path door = folder.resolve("door");
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            Future<?> giving =
                    threads.submit(() -> {
                        HandOver.give(door, List.of(), PATIENCE);
                        return true;
                    });
            Await.until("it waits", () -> Files.exists(door));
            Await.until(
                    "it is closed to others",
                    () -> {
                        try {
                            return PosixFilePermissions.toString(
                                            Files.getPosixFilePermissions(door))
                                    .equals("rw-------");
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    });
            try (HandOver taken = HandOver.take(door, PATIENCE)) {
                assertThat(taken.sockets()).isEmpty();
                taken.confirm();
            }
            giving.get();
            assertThat(door).doesNotExist();
        }
    }

    @Test
    void nobodyThereEndsBothSidesInTime() throws IOException {
        Path door = folder.resolve("door");
        try (Serval server = start(1, List.of(new ListenerSpec(any())))) {
            List<ListeningSocket> given = server.handOver();
            assertThatThrownBy(() -> HandOver.give(door, given, SHORT))
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessageContaining("its successor has not answered in time");
            assertThat(door).doesNotExist();
            given.forEach(ListeningSocket::close);
            assertThatThrownBy(() -> HandOver.take(door, SHORT))
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessageContaining("its predecessor has not answered in time");
            assertThat(RawClient.get(server.addresses().getFirst(), "/").status()).isEqualTo(200);
        }
    }

    @Test
    void predecessorGoesOnIfItsSuccessorEndsBeforeItConfirms() throws Exception {
        Path door = folder.resolve("door");
        try (Serval server = start(2, List.of(new ListenerSpec(any())));
                ExecutorService threads = Executors.newCachedThreadPool()) {
            List<ListeningSocket> given = server.handOver();
            Future<?> giving =
                    threads.submit(() -> {
                        HandOver.give(door, given, PATIENCE);
                        return true;
                    });
            try (HandOver taken = HandOver.take(door, PATIENCE)) {
                taken.sockets().forEach(ListeningSocket::close);
            }
            assertThatThrownBy(giving::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(IOException.class);
            given.forEach(ListeningSocket::close);
            for (int i = 0; i < 20; i++) {
                assertThat(RawClient.get(server.addresses().getFirst(), "/").status())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void otherAnswersAreNoConfirmation() throws Exception {
        Path door = folder.resolve("door");
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            Future<?> giving =
                    threads.submit(() -> {
                        HandOver.give(door, List.of(), PATIENCE);
                        return true;
                    });
            AtomicReference<@Nullable DescriptorChannel> connected = new AtomicReference<>();
            Await.until(
                    "it is connected",
                    () -> {
                        try {
                            connected.set(DescriptorChannel.connect(door));
                            return connected.get() != null;
                        } catch (IOException e) { // the file is not ready
                            return false;
                        }
                    });
            try (DescriptorChannel successor = Objects.requireNonNull(connected.get())) {
                assertThat(successor.send(new DescriptorChannel.Packet("maybe", List.of())))
                        .isTrue();
                assertThatThrownBy(giving::get)
                        .hasMessageEndingWith("The successor has answered something unknown");
            }
        }
    }

    @Test
    void fileInUseIsNotReplaced() throws IOException {
        Path door = Files.writeString(folder.resolve("door"), "precious");
        assertThatThrownBy(() -> HandOver.give(door, List.of(), SHORT))
                .isInstanceOf(IOException.class)
                .hasMessage(door + ": Address already in use");
        assertThat(door).hasContent("precious");
    }

    @Test
    void stoppedServerLeavesItsFileToTheSuccessor() throws Exception {
        Path file = folder.resolve("s");
        Serval server = start(2, List.of(new ListenerSpec(UnixDomainSocketAddress.of(file))));
        List<ListeningSocket> sockets = server.handOver();
        server.leave();
        assertThatThrownBy(() -> server.open(new ListenerSpec(any())))
                .isInstanceOf(IllegalStateException.class);
        try (RawClient waiting = RawClient.connect(UnixDomainSocketAddress.of(file))) {
            waiting.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            server.stop(PATIENCE);
            assertThat(file).exists();
            try (Serval successor = start(1, List.of(ListenerSpec.on(sockets.getFirst())))) {
                assertThat(waiting.answer().status()).isEqualTo(200);
                assertThat(successor.connections()).isEqualTo(1);
            }
        } finally {
            sockets.forEach(ListeningSocket::close);
        }
    }

    private static SocketAddress any() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static Serval start(int loops, List<ListenerSpec> specs) throws IOException {
        Serval.Builder builder =
                Serval.builder()
                        .transport("epoll")
                        .loops(loops)
                        .mount("/", InheritingServer.saying("ok"))
                        .withoutFlagWarning();
        specs.forEach(builder::listen);
        return builder.start();
    }
}
