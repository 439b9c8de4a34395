package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.neighbour.GatewayServer;
import dev.serval.gateway.peer.Upstream;
import dev.serval.testkit.Await;
import dev.serval.testkit.DeadPort;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import dev.serval.testkit.mode.EveryMode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@EveryMode
final class HealthChecksTest {
    private static final Step.ReadUntil HEAD = new Step.ReadUntil("\r\n\r\n");
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    @Test
    void upstreamWithoutAnswerDelaysNoOther() {
        try (DeadPort port = DeadPort.open();
                ScriptedPeer silent = ScriptedPeer.playing(HEAD, new Step.ReadToClose())) {
            Upstream slow = new Upstream(silent.address(), "slow");
            Upstream dead = new Upstream(port.address(), "dead");
            try (HealthChecks _ = HealthChecks.start(List.of(slow, dead), "/", "h", MILLI, HOUR)) {
                Await.until("the dead one is marked", () -> !dead.isUp(System.nanoTime()));
                assertThat(slow.isUp(System.nanoTime())).isTrue();
            }
        }
    }

    /// This process has no free descriptor, which says nothing about an upstream.
    @Test
    void upstreamThatCannotBeAskedIsNotMarked() {
        AtomicInteger attempts = new AtomicInteger();
        HealthChecks.Opening none =
                _ -> {
                    attempts.incrementAndGet();
                    throw new SocketException("Too many open files");
                };
        Upstream upstream =
                new Upstream(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), "one");
        try (HealthChecks _ = HealthChecks.start(List.of(upstream), none, MILLI)) {
            Await.until("it is tried again and again", () -> attempts.get() > 3);
            assertThat(upstream.isUp(System.nanoTime())).isTrue();
        }
    }

    @Test
    void silenceIsFailure() {
        List<Step> script = List.of(new Step.ReadToClose());
        try (ScriptedPeer silent = ScriptedPeer.playing(List.of(script, script, script))) {
            Upstream slow = new Upstream(silent.address(), "slow");
            try (HealthChecks _ = HealthChecks.start(List.of(slow), "/", "h", MILLI, 50 * MILLI)) {
                Await.until("it is marked", () -> !slow.isUp(System.nanoTime()));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1 200 OK, true",
        "HTTP/1.0 302 Found, true",
        "HTTP/1.1 404 No, false",
        "HTTP/1.1 500 No, false",
        "SSH-2.0-OpenSSH_9.2p1, false",
        "HTTP, false"
    })
    void judgesByTheStatusLine(String line, boolean well) {
        List<Step> fine = List.of(HEAD, Step.Send.of(line + "\r\nContent-Length: 0\r\n\r\n"));
        List<Step> bad = List.of(HEAD, Step.Send.of("HTTP/1.1 503 No\r\n\r\n"));
        List<Step> silent = List.of(HEAD, new Step.ReadToClose());
        // Two failures mark it down first; then the line decides whether it comes back.
        try (ScriptedPeer peer = ScriptedPeer.playing(List.of(bad, bad, fine, silent))) {
            Upstream upstream = new Upstream(peer.address(), "one");
            try (HealthChecks _ =
                    HealthChecks.start(List.of(upstream), "/health", "up", MILLI, HOUR)) {
                Await.until("the line was judged", () -> peer.received(3).contains("\r\n\r\n"));
                assertThat(upstream.isUp(System.nanoTime())).isEqualTo(well);
            }
            assertThat(peer.received(0))
                    .startsWith("GET /health HTTP/1.1\r\nHost: up\r\n")
                    .contains("Connection: close\r\n");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1:9000, , 10.0.0.1:9000",
        "app.example, , app.example",
        "app.example, inner.example, inner.example",
        "unix:/run/a.sock, , localhost",
        "unix:/run/a.sock, inner.example, inner.example"
    })
    void hostIsThatOfTheAddressUnlessTheMountNamesOne(
            String name, @Nullable String host, String expected) {
        SocketAddress address =
                name.startsWith("unix:")
                        ? UnixDomainSocketAddress.of("/run/a.sock")
                        : new InetSocketAddress(InetAddress.getLoopbackAddress(), 9000);
        assertThat(HealthChecks.request(new Upstream(address, name), "/health", host))
                .startsWith("GET /health HTTP/1.1\r\nHost: " + expected + "\r\n");
    }

    @Test
    void mountAsksForItsAddress() {
        List<Step> script = List.of(HEAD, new Step.ReadToClose());
        try (ScriptedPeer peer = ScriptedPeer.playing(List.of(script));
                GatewayServer _ =
                        GatewayServer.of("/=" + EarlyEndTest.url(peer) + "?check=/health")) {
            Await.until("it is asked", () -> peer.received(0).contains("\r\n\r\n"));
            String address = EarlyEndTest.url(peer).substring("http://".length());
            assertThat(peer.received(0)).contains("\r\nHost: " + address + "\r\n");
        }
    }
}
