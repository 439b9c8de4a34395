package dev.serval.soak.flood;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Folder;
import dev.serval.Serval;
import dev.serval.bench.peer.Site;
import dev.serval.policy.Limits;
import dev.serval.policy.LoadMode;
import dev.serval.testkit.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Runs each flood briefly against a server with little memory. The good client must get every
/// answer, the connections' memory must stay within the limit, and nothing may be left. `serval
/// soak floods` measures the times of answers.
@Tag("long")
final class FloodTest {
    private static final int CONNECTIONS = 300;
    private static final int SLICES = 8;
    private static final long SLICE_NANOS = 100_000_000;
    private static final int PATIENCE_MILLIS = 60_000;
    private static final int LOOPS = 2;
    private static final long HELD_MAX_BYTES = 4 << 20;

    /// The memory that a loop may add in one turn before it reclaims memory. Connections that
    /// continue after a pause are checked together at the turn's end. Without a limit these floods
    /// hold 30 to 60 MB.
    private static final long TURN_MAX_BYTES = 4 << 20;

    @TempDir private Path folder;

    @ParameterizedTest
    @EnumSource(Flood.class)
    void goodClientIsServedAndNothingIsLeft(Flood flood) throws Exception {
        Site site = Site.create(folder.resolve("root"), FloodSoak.files());
        try (Serval server = start(site, LoadMode.LIGHT)) {
            InetSocketAddress target = (InetSocketAddress) server.addresses().getFirst();
            List<GoodClient.Page> pages = FloodSoak.pages(site.root());
            try (FloodLoad load = FloodLoad.start(flood, target, CONNECTIONS)) {
                for (int i = 0; i < SLICES; i++) {
                    GoodClient client = new GoodClient(target, pages, PATIENCE_MILLIS);
                    GoodClient.Outcome good = client.run(System.nanoTime() + SLICE_NANOS);
                    assertThat(client.faults()).isEmpty();
                    assertThat(good.timeouts()).isZero();
                    assertThat(good.millis()).isNotEmpty();
                    assertThat(server.heldBytes())
                            .isLessThanOrEqualTo(HELD_MAX_BYTES + LOOPS * TURN_MAX_BYTES);
                }
                if (flood != Flood.NONE) {
                    assertThat(load.counts()[0]).as("connections of the flood").isPositive();
                }
            }
            Await.until("connections end", () -> server.connections() == 0);
            Await.until("memory comes back", () -> server.heldBytes() == 0);
        }
    }

    @Test
    void goodClientConnectsAgainAfterTheServerAnnouncesTheEnd() throws Exception {
        Site site = Site.create(folder.resolve("root"), FloodSoak.files());
        try (Serval server = start(site, LoadMode.CRITICAL)) {
            InetSocketAddress target = (InetSocketAddress) server.addresses().getFirst();
            GoodClient client =
                    new GoodClient(target, FloodSoak.pages(site.root()), PATIENCE_MILLIS);
            client.run(System.nanoTime() + SLICES * SLICE_NANOS);
            assertThat(client.faults()).isEmpty();
        }
    }

    /// Starts a server in one load mode, because a busy machine would choose another by its delays.
    private static Serval start(Site site, LoadMode mode) throws IOException {
        Limits limits =
                Limits.DEFAULT.with(draft -> {
                    draft.buffers.heldMaxBytes = HELD_MAX_BYTES;
                    draft.load.forced = mode;
                });
        return Serval.builder()
                .listen(0)
                .loops(LOOPS)
                .limits(limits)
                .mount("/", Folder.of(site.root()))
                .start();
    }
}
