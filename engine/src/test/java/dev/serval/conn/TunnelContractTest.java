package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Body;
import dev.serval.handler.Duplex;
import dev.serval.handler.Exchange;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.Status;
import dev.serval.testkit.Call;
import dev.serval.testkit.Caller;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Checks the contract of tunnels: bytes in both directions, on a connection or on one of its
/// streams.
@Timeout(120)
final class TunnelContractTest {
    private static Handler handler(ContractServer server) {
        return x -> {
            switch (x.request().target().text()) {
                case "/echo" -> ContractHandlers.tunnel(server, x);
                case "/bye" -> bye(server, x);
                case "/how" -> {
                    server.note(x.request().method() + " " + x.tunnel());
                    x.refuse(Status.NOT_FOUND, Fields.EMPTY, ""); // 2xx would open the tunnel
                }
                case "/reset" -> {
                    ContractHandlers.watch(server, x);
                    x.upgrade(ContractHandlers.switching(x)).close(Fault.APPLICATION);
                }
                case "/throw" -> {
                    ContractHandlers.watch(server, x);
                    x.upgrade(ContractHandlers.switching(x))
                            .onReadable(() -> {
                                throw new IllegalStateException("meant");
                            });
                }
                default -> ContractHandlers.target().handle(x);
            }
        };
    }

    private static void bye(ContractServer server, Exchange x) {
        ContractHandlers.watch(server, x);
        Duplex duplex = x.upgrade(ContractHandlers.switching(x));
        duplex.write(Body.Bytes.of(Answers.bytes("bye")));
        duplex.close(Fault.SHUTDOWN);
    }

    private static Call tunnel(Caller caller, String target) {
        return caller.call(Call.Ask.tunnel(target));
    }

    @ContractTest
    void tunnelEchoesBytesAfterTheRequestAndLaterOnes(ContractMode mode) {
        long bytes = 8L << 20;
        try (ContractServer server = ContractServer.start(mode, TunnelContractTest::handler)) {
            Caller caller = server.connect();
            Call call = tunnel(caller, "/echo").sendPattern(bytes).expectPattern();
            caller.await("all bytes are back", () -> call.length() == bytes);
            assertThat(call.isTunnel()).isTrue();
            call.finish();
            caller.awaitEnd(call);
            assertThat(call.isWhole()).isTrue();
            assertThat(server.notes()).containsExactly("end");
            long unsentMax = ContractServer.LIMITS.buffers().unsentMaxBytes();
            assertThat(server.lentMost()).isLessThanOrEqualTo(unsentMax + ContractHandlers.PIECE);
        }
    }

    @ContractTest
    void othersContinueBesideAnUnreadTunnel(ContractMode mode) {
        long bytes = 32L << 20;
        try (ContractServer server = ContractServer.start(mode, TunnelContractTest::handler)) {
            Caller caller = server.connect();
            Call call = tunnel(caller, "/echo").sendPattern(bytes).expectPattern().pause();
            Caller other = server.beside(caller);
            for (int i = 0; i < 20; i++) {
                assertThat(other.awaitEnd(other.get("/next")).text()).isEqualTo("/next");
            }
            call.resume().finish();
            caller.awaitEnd(call);
            assertThat(call.length()).isEqualTo(bytes);
            assertThat(other.awaitEnd(other.get("/last")).text()).isEqualTo("/last");
        }
    }

    @ContractTest
    void closeSendsWrittenBytes(ContractMode mode) {
        try (ContractServer server = ContractServer.start(mode, TunnelContractTest::handler)) {
            Caller caller = server.connect();
            Call call = caller.awaitEnd(tunnel(caller, "/bye"));
            assertThat(call.text()).isEqualTo("bye");
            assertThat(call.isWhole()).isTrue();
            assertThat(server.notes()).isEmpty();
        }
    }

    @ContractTest
    void abortBreaksTheTunnel(ContractMode mode) {
        try (ContractServer server = ContractServer.start(mode, TunnelContractTest::handler)) {
            Caller caller = server.connect();
            assertThat(caller.awaitEnd(tunnel(caller, "/reset")).isBroken()).isTrue();
            assertThat(server.notes()).isEmpty();
        }
    }

    @ContractTest
    void exceptionInACallbackEndsTheTunnel(ContractMode mode) {
        try (ContractServer server = ContractServer.start(mode, TunnelContractTest::handler)) {
            Caller caller = server.connect();
            Call call = tunnel(caller, "/throw").send("x");
            assertThat(caller.awaitEnd(call).isBroken()).isTrue();
            Caller other = server.connect();
            other.await("the abort has run", () -> server.noted("aborted") > 0);
            assertThat(server.notes()).containsExactly("aborted");
        }
    }

    @ContractTest
    void clientResetFailsTheReaderFirst(ContractMode mode) {
        try (ContractServer server = ContractServer.start(mode, TunnelContractTest::handler)) {
            Caller caller = server.connect();
            Call call = tunnel(caller, "/echo").send("x");
            caller.await("the tunnel echoes", () -> call.length() == 1);
            call.reset();
            Caller other = server.connect();
            other.await("the abort has run", () -> server.noted("aborted") > 0);
            assertThat(server.notes()).containsExactly("failed", "aborted");
        }
    }

    @ContractTest
    void handlerLearnsHowTheTunnelIsAskedFor(ContractMode mode) {
        try (ContractServer server = ContractServer.start(mode, TunnelContractTest::handler)) {
            Caller caller = server.connect();
            Call call = tunnel(caller, "/how").finish();
            caller.awaitEnd(call);
            assertThat(call.isTunnel()).isFalse();
            assertThat(call.status()).isEqualTo(404);
            Caller next = server.beside(caller);
            next.awaitEnd(next.get("/how"));
            assertThat(server.notes())
                    .containsExactly(
                            mode.hasStreams()
                                    ? "CONNECT ByConnect[protocol=test]"
                                    : "GET ByUpgrade[protocols=test]",
                            "GET None[]");
        }
    }

    @ContractTest
    void bytesGoBothWaysWhileAnotherRequestIsAnswered(ContractMode mode) {
        try (ContractServer server = ContractServer.start(mode, TunnelContractTest::handler)) {
            Caller caller = server.connect();
            Call call = tunnel(caller, "/echo");
            Caller other = server.beside(caller);
            for (String ping : new String[] {"a", "b", "c"}) {
                long before = call.length();
                call.send(ping);
                Call answered = other.get("/beside");
                caller.await("the tunnel echoes", () -> call.length() == before + 1);
                assertThat(other.awaitEnd(answered).text()).isEqualTo("/beside");
            }
            call.finish();
            assertThat(caller.awaitEnd(call).text()).isEqualTo("abc");
        }
    }

    /// CONNECT without a protocol asks for a tunnel to another server (RFC 9110 §9.3.6).
    @Test
    void plainConnectIsRefused() {
        try (ContractServer server =
                ContractServer.start(ContractMode.TOY_MEMORY, TunnelContractTest::handler)) {
            Caller caller = server.connect();
            Call call = caller.call(new Call.Ask("CONNECT", "/echo", 0, false, ""));
            assertThat(caller.awaitEnd(call).status()).isEqualTo(405);
            assertThat(call.field("Allow")).isEmpty();
        }
    }
}
