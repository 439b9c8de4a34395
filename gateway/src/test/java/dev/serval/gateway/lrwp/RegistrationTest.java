package dev.serval.gateway.lrwp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.peer.PoolLimits;
import dev.serval.gateway.peer.PoolStatus;
import dev.serval.handler.Body;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.loop.Clock;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.AddressRange;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How peers register, over connections in memory (facts §1.2, §1.3, cases 5 and 10 to 12).
final class RegistrationTest {
    private static final String FF = "\u00ff";
    private static final LrwpSettings.Startups BRIEF =
            LrwpSettings.Startups.DEFAULT.with(draft -> {
                draft.nanos = 1_000_000_000;
                draft.holdNanos = 0;
            });

    private static LrwpAgent allowing(Map<String, byte[]> names) {
        return new LrwpAgent(LrwpSettings.DEFAULT.withAllowed(AllowedNames.of(names)));
    }

    private static String register(GatewayInMemory gateway, String message) {
        MemoryPeer peer = gateway.peer(0);
        peer.send(message);
        gateway.run();
        return peer.takeText() + (peer.isClosed() ? " closed" : "");
    }

    private static GatewayInMemory with(LrwpAgent agent) {
        return new GatewayInMemory(1, agent, agent.handler());
    }

    @Test
    void firstVersionGetsExactlyOk() {
        LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT);
        try (GatewayInMemory gateway = with(agent)) {
            assertThat(register(gateway, "app" + FF + FF)).isEqualTo("OK");
            assertThat(register(gateway, "app" + FF + FF + FF)).isEqualTo("OK");
            assertThat(register(gateway, "app" + FF + FF + "filter" + FF)).isEqualTo("OK");
            assertThat(register(gateway, FF + "2.0" + FF + "app" + FF + FF)).isEqualTo("OK" + FF);
            assertThat(register(gateway, FF + "1.0" + FF + "app" + FF + FF)).isEqualTo("OK");
            assertThat(agent.status().getFirst().peers()).isEqualTo(5);
        }
    }

    @Test
    void takesMessageInSingleBytesWithItsFilter() {
        LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT);
        try (GatewayInMemory gateway = with(agent)) {
            MemoryPeer peer = gateway.peer(0);
            for (char c : ("app" + FF + FF + "filter" + FF).toCharArray()) {
                peer.send(String.valueOf(c));
                gateway.run();
            }
            assertThat(peer.takeText()).isEqualTo("OK");
            assertThat(peer.isClosed()).isFalse();
            gateway.pass(Duration.ofMillis(100));
            peer.send("x");
            gateway.run();
            assertThat(peer.isClosed()).as("bytes after the time for the filter").isTrue();
        }
    }

    @Test
    void refusesWithTheTextsOfTheProtocol() {
        try (GatewayInMemory gateway = with(allowing(Map.of("App", new byte[0], "sec", key())))) {
            assertThat(register(gateway, "app" + FF + FF)).isEqualTo("OK");
            assertThat(register(gateway, "other" + FF + FF))
                    .isEqualTo("ERROR: Application not permitted closed");
            assertThat(register(gateway, FF + "2.0" + FF + "other" + FF + FF))
                    .isEqualTo("REJECTED" + FF + "Application not permitted" + FF + " closed");
            assertThat(register(gateway, "sec" + FF + FF))
                    .isEqualTo("ERROR: Connection requires LRWP2 authentication closed");
            assertThat(register(gateway, FF + "3.0" + FF + "app" + FF + FF))
                    .isEqualTo("ERROR: Unknown LRWP version closed");
            assertThat(register(gateway, "a".repeat(201) + FF + FF))
                    .isEqualTo("ERROR: Registration component too long closed");
            assertThat(register(gateway, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
                    .isEqualTo("ERROR: Malformed startup string closed");
            assertThat(register(gateway, "\u0016\u0003\u0001")).endsWith(" closed");
        }
    }

    /// A peer would get the cookies and passwords that are meant for what is mounted.
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            nullValues = "-",
            value = {
                "files, -, OK",
                "files/new, -, OK",
                "other, -, OK",
                "shopping, -, OK",
                "Shop, -, OK",
                ".lrp, -, OK",
                "shop/docs, -, OK", // a folder below the application
                "shop/docs/x, -, OK",
                "shop, -, REFUSED",
                "/shop/, -, REFUSED",
                "shop, h.example, REFUSED",
                "shop/cart, -, REFUSED",
                "a, -, REFUSED", // above /a/api
                "a/api, -, REFUSED",
                "/, -, REFUSED",
                "/, h.example, REFUSED"
            })
    void nameWithoutARuleIsRefusedInFrontOfAGuardedMount(
            String name, @Nullable String host, String result) {
        LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT);
        agent.mounts(
                new LrwpMounts(Set.of("/", "/files", "/shop/docs"), Set.of("/shop", "/a/api")));
        String refused =
                "Application not permitted: this path belongs to a web application or another"
                        + " server; start the server with --lrwp-allow and this name";
        boolean taken = result.equals("OK");
        String startup = name + FF + (host == null ? "" : host) + FF;
        try (GatewayInMemory gateway = with(agent)) {
            assertThat(register(gateway, startup))
                    .isEqualTo(taken ? "OK" : "ERROR: " + refused + " closed");
            assertThat(register(gateway, FF + "2.0" + FF + startup))
                    .isEqualTo(taken ? "OK" + FF : "REJECTED" + FF + refused + FF + " closed");
            assertThat(agent.refused()).isEqualTo(taken ? 0 : 2);
        }
    }

    @Test
    void applicationAtTheRootGuardsAllButTheFoldersBelowIt() {
        LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT);
        agent.mounts(new LrwpMounts(Set.of("/docs"), Set.of("/")));
        try (GatewayInMemory gateway = with(agent)) {
            for (String name : List.of("/", "login", "docs2", ".lrp")) {
                assertThat(register(gateway, name + FF + FF)).startsWith("ERROR: ");
            }
            assertThat(register(gateway, "docs" + FF + FF)).isEqualTo("OK");
            agent.mounts(LrwpMounts.NONE); // it was undeployed
            assertThat(register(gateway, "login" + FF + FF)).isEqualTo("OK");
        }
    }

    @Test
    void nameWithARuleMayBeInFrontOfAGuardedMount() {
        LrwpMounts mounts = new LrwpMounts(Set.of(), Set.of("/", "/shop"));
        LrwpAgent listed = allowing(Map.of("shop", new byte[0], "sec", key()));
        listed.mounts(mounts);
        try (GatewayInMemory gateway = with(listed)) {
            assertThat(register(gateway, "shop" + FF + FF)).isEqualTo("OK");
            assertThat(challenged(gateway, "sec", "2.0", key(), 32)).isEqualTo("OK" + FF);
        }
        AllowedNames names = AllowedNames.ALL.with("demo", key());
        LrwpAgent demo = new LrwpAgent(LrwpSettings.DEFAULT.withAllowed(names));
        demo.mounts(mounts);
        try (GatewayInMemory gateway = with(demo)) {
            assertThat(challenged(gateway, "demo", "2.0", key(), 32)).isEqualTo("OK" + FF);
        }
    }

    private static byte[] key() {
        return Messages.bytes("open sesame");
    }

    /// Case 10.
    @Test
    void challengeLetsOnlyTheRightPassphraseIn() {
        LrwpAgent agent = allowing(Map.of("sec", key()));
        try (GatewayInMemory gateway = with(agent)) {
            assertThat(challenged(gateway, "sec", "2.0", key(), 32)).isEqualTo("OK" + FF);
            assertThat(challenged(gateway, "SEC", "2.9", key(), 32)).isEqualTo("OK" + FF);
            String wrong = "REJECTED" + FF + "Incorrect LRWP challenge response" + FF + " closed";
            assertThat(challenged(gateway, "sec", "2.0", Messages.bytes("no"), 32))
                    .isEqualTo(wrong);
            assertThat(challenged(gateway, "sec", "2.0", key(), 31)).isEqualTo(wrong);
            assertThat(agent.refused()).isEqualTo(2);
        }
    }

    @Test
    void everyByteOfTheAnswerCounts() {
        LrwpAgent agent = allowing(Map.of("sec", key()));
        try (GatewayInMemory gateway = with(agent)) {
            for (int at = 0; at < Challenge.BYTES; at++) {
                MemoryPeer peer = gateway.peer(0);
                peer.send(FF + "2.0" + FF + "sec" + FF + FF);
                gateway.run();
                byte[] answer = Challenge.answer(Arrays.copyOfRange(peer.take(), 19, 51), key());
                answer[at] ^= 1;
                peer.send("000000032");
                peer.send(answer);
                gateway.run();
                assertThat(peer.takeText()).as("byte %d", at).startsWith("REJECTED");
            }
            assertThat(agent.refused()).isEqualTo(Challenge.BYTES);
            assertThat(agent.status()).isEmpty();
        }
    }

    /// Case 21: the answer of an earlier challenge.
    @Test
    void replayedAnswerIsRefused() {
        try (GatewayInMemory gateway = with(allowing(Map.of("sec", key())))) {
            MemoryPeer first = gateway.peer(0);
            first.send(FF + "2.0" + FF + "sec" + FF + FF);
            gateway.run();
            byte[] sent = first.take();
            byte[] answer = Challenge.answer(Arrays.copyOfRange(sent, 19, 51), key());
            MemoryPeer second = gateway.peer(0);
            second.send(FF + "2.0" + FF + "sec" + FF + FF);
            gateway.run();
            second.clear();
            second.send("000000032");
            second.send(answer);
            gateway.run();
            assertThat(second.takeText()).startsWith("REJECTED");
        }
    }

    private static String challenged(
            GatewayInMemory gateway, String name, String version, byte[] secret, int length) {
        MemoryPeer peer = gateway.peer(0);
        peer.send(FF + version + FF + name + FF + FF);
        gateway.run();
        byte[] sent = peer.take();
        assertThat(new String(sent, 0, 19, StandardCharsets.ISO_8859_1))
                .isEqualTo("CHALLENGE" + FF + "000000032");
        assertThat(sent).hasSize(51);
        byte[] answer = Challenge.answer(Arrays.copyOfRange(sent, 19, 51), secret);
        peer.send("%09d".formatted(length));
        gateway.run();
        peer.send(answer, 0, length);
        gateway.run();
        return peer.takeText() + (peer.isClosed() ? " closed" : "");
    }

    @Test
    void silentPeerIsClosedAfter5Seconds() {
        LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT);
        try (GatewayInMemory gateway = with(agent)) {
            MemoryPeer silent = gateway.peer(0);
            MemoryPeer drips = gateway.peer(0);
            for (int i = 0; i < 5; i++) {
                drips.send("a");
                gateway.pass(Duration.ofMillis(980));
            }
            assertThat(silent.isClosed()).isFalse();
            assertThat(agent.unregistered()).isEqualTo(2);
            gateway.pass(Duration.ofMillis(200));
            assertThat(silent.isClosed()).isTrue();
            assertThat(drips.isClosed()).as("counted from the connection").isTrue();
            assertThat(agent.unregistered()).isZero();
        }
    }

    /// Case 12.
    @Test
    void limitsConnectionsThatHaveNotRegistered() {
        LrwpSettings.Startups three =
                BRIEF.with(draft -> {
                    draft.unregisteredMax = 3;
                    draft.peersMax = 10;
                });
        LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT.withStartup(three));
        try (GatewayInMemory gateway = with(agent)) {
            MemoryPeer[] silent = {gateway.peer(0), gateway.peer(0), gateway.peer(0)};
            MemoryPeer refused = gateway.peer(0);
            assertThat(refused.sawReset()).isTrue();
            silent[0].send("app" + FF + FF);
            gateway.run();
            assertThat(silent[0].takeText()).isEqualTo("OK");
            MemoryPeer next = gateway.peer(0);
            assertThat(next.isClosed()).isFalse();
            gateway.pass(Duration.ofSeconds(2));
            assertThat(silent[1].isClosed()).isTrue();
            assertThat(silent[0].isClosed()).isFalse();
        }
    }

    @Test
    void limitsNamesAndPeersOfAName() {
        LrwpSettings.Startups two =
                BRIEF.with(draft -> {
                    draft.names = new LrwpSettings.Names(2, 1_000_000_000_000L);
                    draft.peersMax = 10;
                });
        LrwpAgent agent =
                new LrwpAgent(
                        LrwpSettings.DEFAULT
                                .withStartup(two)
                                .withPool(
                                        PoolLimits.DIAL_IN.with(
                                                draft -> draft.connectionsMax = 2)));
        try (GatewayInMemory gateway = with(agent)) {
            MemoryPeer first = gateway.peer(0);
            first.send("a" + FF + FF);
            gateway.run();
            assertThat(first.takeText()).isEqualTo("OK");
            assertThat(register(gateway, "b" + FF + FF)).isEqualTo("OK");
            assertThat(register(gateway, "b" + FF + FF)).isEqualTo("OK");
            assertThat(register(gateway, "b" + FF + FF))
                    .isEqualTo("ERROR: Out of resources closed");
            assertThat(register(gateway, "c" + FF + FF))
                    .isEqualTo("ERROR: Out of resources closed");
            first.end();
            gateway.run();
            assertThat(register(gateway, "c" + FF + FF)).as("in place of a").isEqualTo("OK");
        }
    }

    /// A name stays in the status for so long that a restart of its peers keeps its counts.
    @Test
    void nameWithoutPeersIsForgottenAfterItsTime() {
        ManualClock clock = new ManualClock();
        LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT, new Random(1), clock);
        try (GatewayInMemory gateway = with(agent)) {
            MemoryPeer left = gateway.registered(0, "left");
            gateway.registered(0, "stays");
            left.end();
            gateway.run();
            long leftNanos = gateway.net(0).loop().nowNanos();
            long hour = LrwpSettings.Names.DEFAULT.forgetNanos();
            clock.nanos = leftNanos + hour - 1;
            assertThat(agent.status())
                    .extracting(PoolStatus::name)
                    .containsExactly("left", "stays");
            clock.nanos = leftNanos + hour;
            assertThat(agent.status()).extracting(PoolStatus::name).containsExactly("stays");
            gateway.registered(0, "left");
            clock.nanos = leftNanos + 9 * hour;
            assertThat(agent.status())
                    .extracting(PoolStatus::name)
                    .containsExactly("stays", "left");
        }
    }

    @Test
    void limitsPeersOfAllNames() {
        LrwpSettings.Startups two = BRIEF.with(draft -> draft.peersMax = 2);
        LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT.withStartup(two));
        try (GatewayInMemory gateway = with(agent)) {
            MemoryPeer first = gateway.peer(0);
            first.send("a" + FF + FF);
            gateway.run();
            assertThat(register(gateway, "b" + FF + FF)).isEqualTo("OK");
            assertThat(register(gateway, "b" + FF + FF))
                    .isEqualTo("ERROR: Out of resources closed");
            first.end();
            gateway.run();
            assertThat(register(gateway, "b" + FF + FF)).isEqualTo("OK");
        }
    }

    /// Case 21.
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.0/8 OK", "10.0.0.0/8 ERROR: Unauthorized access closed"})
    void onlyAllowedAddressesMayRegister(String sample) {
        String[] parts = sample.split(" ", 2);
        String[] range = parts[0].split("/", 2);
        AddressRange allowed =
                new AddressRange(InetAddress.ofLiteral(range[0]), Integer.parseInt(range[1]));
        LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT.withFrom(List.of(allowed)));
        try (GatewayInMemory gateway = with(agent)) {
            assertThat(register(gateway, "app" + FF + FF)).isEqualTo(parts[1]);
        }
    }

    @Test
    void anyOfSeveralRangesAllowsAnAddress() {
        AddressRange other = new AddressRange(InetAddress.ofLiteral("10.0.0.0"), 8);
        AddressRange own = new AddressRange(InetAddress.ofLiteral("127.0.0.1"), 32);
        LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT.withFrom(List.of(other, own)));
        try (GatewayInMemory gateway = with(agent)) {
            assertThat(register(gateway, "app" + FF + FF)).isEqualTo("OK");
            assertThat(agent.refused()).isZero();
        }
    }

    @Test
    void otherAddressesTakeNoPlaceOfThoseThatRegister() {
        AddressRange other = new AddressRange(InetAddress.ofLiteral("10.0.0.0"), 8);
        LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT.withFrom(List.of(other)));
        try (GatewayInMemory gateway = with(agent)) {
            MemoryPeer silent = gateway.peer(0);
            assertThat(agent.unregistered()).isZero();
            assertThat(silent.takeText()).isEqualTo("ERROR: Unauthorized access");
            assertThat(silent.isClosed()).isTrue();
            assertThat(agent.refused()).isEqualTo(1);
        }
    }

    /// The peer may still send its filter. That it registers late in a turn of the loop takes nothing
    /// from its time.
    @Test
    void timeForTheFilterCountsFromTheAnswer() {
        LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT);
        GatewayInMemory[] here = new GatewayInMemory[1];
        Handler slow =
                x -> {
                    here[0].delay(Duration.ofMillis(200));
                    x.response()
                            .send(new ResponseHead(Status.OK, Fields.EMPTY, 0), Body.Empty.EMPTY);
                };
        try (GatewayInMemory gateway = new GatewayInMemory(1, agent, slow)) {
            here[0] = gateway;
            MemoryPeer client = gateway.client(0);
            MemoryPeer peer = gateway.peer(0);
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n"); // is served first
            peer.send("app" + FF + FF);
            gateway.run();
            assertThat(peer.takeText()).isEqualTo("OK");
            peer.send("filter" + FF);
            gateway.run();
            assertThat(peer.isClosed()).isFalse();
        }
    }

    private static final class ManualClock implements Clock {
        private long nanos;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public long epochMillis() {
            return nanos / 1_000_000;
        }
    }
}
