package dev.serval.gateway.neighbour;

import dev.serval.Serval;
import dev.serval.gateway.spool.SpoolLimits;
import dev.serval.gateway.spool.SpoolQuota;
import dev.serval.handler.Handler;
import dev.serval.mode.InMode;
import dev.serval.policy.AddressRange;
import dev.serval.policy.Limits;
import dev.serval.policy.Metrics;
import dev.serval.policy.TrustedProxies;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A server with neighbours, for tests. Its end checks that no request is left at a peer.
@SuppressWarnings("exports") // only tests see it
public final class GatewayServer implements AutoCloseable {
    private static final long PATIENCE_NANOS = 120_000_000_000L;

    private final Serval server;
    private final Map<String, OpenNeighbour> neighbours;
    private final SpoolQuota spool;

    private GatewayServer(Serval server, Map<String, OpenNeighbour> neighbours, SpoolQuota spool) {
        this.server = server;
        this.neighbours = neighbours;
        this.spool = spool;
    }

    /// Starts a server with mounts as `serval run` takes them: `/api=http://127.0.0.1:9000`.
    public static GatewayServer of(String... mounts) {
        return limited(1L << 30, SpoolLimits.DEFAULT, mounts);
    }

    /// Starts a server as [#patient] does, with one loop. An answer then shows that the loop has
    /// handled all that happened before its request was sent on an idle connection.
    public static GatewayServer ofOneLoop(String... mounts) {
        return start(
                Serval.builder().loops(1).limits(patience()),
                SpoolLimits.DEFAULT,
                List.of(),
                mounts);
    }

    /// Starts a server as [#of] does that waits for two minutes for clients which read or send
    /// nothing. Over HTTP/2 it else resets their streams after the grace.
    static GatewayServer patient(String... mounts) {
        return start(Serval.builder().limits(patience()), SpoolLimits.DEFAULT, List.of(), mounts);
    }

    private static Limits patience() {
        return Limits.DEFAULT.with(draft -> {
            draft.pace.graceNanos = PATIENCE_NANOS;
            draft.pace.stallNanos = PATIENCE_NANOS;
        });
    }

    /// Starts a server as [#of] does, with rules before the handlers of each mount.
    public static GatewayServer behind(List<Handler> rules, String... mounts) {
        return start(Serval.builder(), SpoolLimits.DEFAULT, rules, mounts);
    }

    /// Starts a server as [#of] does, which trusts proxies at 127.0.0.1.
    public static GatewayServer behindProxies(String... mounts) {
        TrustedProxies local = new TrustedProxies(List.of(AddressRange.of("127.0.0.1")));
        return start(
                Serval.builder().trustedProxies(local), SpoolLimits.DEFAULT, List.of(), mounts);
    }

    /// Starts a server with one mount, whose settings are fields.
    public static GatewayServer of(String prefix, NeighbourDraft draft) {
        return switch (draft.build()) {
            case NeighbourDraft.Built(Neighbour neighbour) ->
                    start(
                            Serval.builder(),
                            new SpoolQuota(SpoolLimits.DEFAULT),
                            List.of(),
                            Map.of(prefix, neighbour));
            case NeighbourDraft.Refused(List<Problem> problems) ->
                    throw new AssertionError(problems);
        };
    }

    /// Starts a server with other limits for the content of requests.
    public static GatewayServer limited(
            long contentMaxBytes, SpoolLimits limits, String... mounts) {
        Limits server = Limits.DEFAULT.with(draft -> draft.content.maxBytes = contentMaxBytes);
        return start(Serval.builder().limits(server), limits, List.of(), mounts);
    }

    private static GatewayServer start(
            Serval.Builder builder, SpoolLimits limits, List<Handler> rules, String... mounts) {
        Map<String, Neighbour> settings = new LinkedHashMap<>();
        for (String mount : mounts) {
            int equals = mount.indexOf('=');
            settings.put(mount.substring(0, equals), read(mount.substring(equals + 1)));
        }
        return start(builder, new SpoolQuota(limits), rules, settings);
    }

    private static GatewayServer start(
            Serval.Builder builder,
            SpoolQuota spool,
            List<Handler> rules,
            Map<String, Neighbour> settings) {
        builder.listen(InMode.listener()).withoutFlagWarning();
        try {
            Map<String, OpenNeighbour> neighbours = OpenNeighbour.open(settings, spool);
            neighbours.forEach((prefix, open) ->
                    builder.mount(
                            prefix,
                            Stream.concat(rules.stream(), open.chain().stream())
                                    .toArray(Handler[]::new)));
            return new GatewayServer(InMode.start(builder), neighbours, spool);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Neighbour read(String text) {
        return switch (NeighbourSyntax.read(text)) {
            case NeighbourSyntax.Right right -> right.neighbour();
            case NeighbourSyntax.Wrong wrong -> throw new AssertionError(wrong.sentence());
        };
    }

    public SocketAddress address() {
        return server.addresses().getFirst();
    }

    public int port() {
        return server.port();
    }

    /// Returns the memory that all connections hold.
    public long heldBytes() {
        return server.heldBytes();
    }

    /// Returns the memory and files of contents that were collected.
    public SpoolQuota spool() {
        return spool;
    }

    /// Returns what the server has counted.
    public Metrics metrics() {
        return server.metrics();
    }

    public RawResponse get(String target) {
        return RawClient.get(address(), target);
    }

    public OpenNeighbour neighbour(String prefix) {
        OpenNeighbour found = neighbours.get(prefix);
        if (found == null) {
            throw new AssertionError("There is no mount " + prefix);
        }
        return found;
    }

    @Override
    public void close() {
        for (OpenNeighbour one : neighbours.values()) {
            try {
                Await.until(
                        "no request is left at a peer",
                        () -> one.pool().status().busy() == 0 && one.pool().status().queued() == 0);
            } catch (AssertionError e) {
                throw new AssertionError(one.pool().status().toString(), e);
            }
            one.close();
            Await.until("all connections are closed", () -> one.pool().open() == 0);
        }
        Await.until(
                "all contents are freed", () -> spool.memoryBytes() == 0 && spool.diskBytes() == 0);
        server.close();
    }
}
