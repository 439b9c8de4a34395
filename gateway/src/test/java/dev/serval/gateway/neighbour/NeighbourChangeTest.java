package dev.serval.gateway.neighbour;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.Serval;
import dev.serval.gateway.fastcgi.FastcgiTarget;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.peer.Upstream;
import dev.serval.gateway.spool.SpoolLimits;
import dev.serval.gateway.spool.SpoolQuota;
import dev.serval.handler.Body;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.mode.InMode;
import dev.serval.route.RouteTable;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Changes of neighbours while they are used.
@EveryMode
@Timeout(120)
final class NeighbourChangeTest {
    private static final int CLIENTS = 8;
    private static final int CHANGES = 60;
    private static final int REQUESTS_BETWEEN = 20;

    private final SpoolQuota quota = new SpoolQuota(SpoolLimits.DEFAULT);
    private final Set<PeerPool> pools = new LinkedHashSet<>();
    private Serval first;
    private Serval second;
    private Serval front;
    private Map<String, OpenNeighbour> present = Map.of();

    @BeforeEach
    void start() throws IOException {
        first = upstream("first");
        second = upstream("second");
        front =
                InMode.start(
                        Serval.builder()
                                .listen(InMode.listener())
                                .loops(2)
                                .withoutFlagWarning()
                                .mount("/", says("none")));
    }

    @AfterEach
    void stop() {
        present.values().forEach(OpenNeighbour::close);
        front.close();
        first.close();
        second.close();
    }

    private static Serval upstream(String text) throws IOException {
        return Serval.listen(0).loops(1).withoutFlagWarning().mount("/", says(text)).start();
    }

    private static Handler says(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return x ->
                x.response()
                        .send(
                                new ResponseHead(Status.OK, Fields.EMPTY, bytes.length),
                                Body.Bytes.of(bytes));
    }

    private String address(Serval upstream) {
        return "127.0.0.1:" + upstream.port();
    }

    /// Reads mounts such as `/a=http://FIRST?queue=5`.
    private Map<String, Neighbour> settings(String... mounts) {
        Map<String, Neighbour> settings = new LinkedHashMap<>();
        for (String mount : mounts) {
            int equals = mount.indexOf('=');
            String text =
                    mount.substring(equals + 1)
                            .replace("FIRST", address(first))
                            .replace("SECOND", address(second));
            NeighbourSyntax.Result read = NeighbourSyntax.read(text);
            assertThat(read).isInstanceOf(NeighbourSyntax.Right.class);
            settings.put(mount.substring(0, equals), ((NeighbourSyntax.Right) read).neighbour());
        }
        return settings;
    }

    private void change(String... mounts) {
        try {
            NeighbourChange change = NeighbourChange.prepare(present, settings(mounts), quota);
            RouteTable.Builder table = RouteTable.builder();
            change.next()
                    .forEach((prefix, open) ->
                            table.mount(prefix, open.chain().toArray(Handler[]::new)));
            front.routes(table.build());
            present = change.next();
            change.commit();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        present.values().forEach(one -> pools.add(one.pool()));
    }

    private PeerPool pool(String prefix) {
        return requireNonNull(present.get(prefix)).pool();
    }

    private RawResponse get(String target) {
        return RawClient.get(front.addresses().getFirst(), target);
    }

    private static long served(PeerPool pool) {
        return pool.status().served();
    }

    @Test
    void equalSettingsKeepConnectionsHealthAndCounters() {
        change("/a=http://FIRST,SECOND");
        assertThat(get("/a").status()).isEqualTo(200);
        PeerPool before = pool("/a");
        before.upstreams().getLast().mark(false);
        int open = before.open();
        assertThat(open).isPositive();
        change("/a=http://FIRST,SECOND");
        assertThat(pool("/a")).isSameAs(before);
        assertThat(before.upstreams().getLast().isUp(System.nanoTime())).isFalse();
        assertThat(get("/a").status()).isEqualTo(200);
        assertThat(served(before)).isEqualTo(2);
        assertThat(before.open()).isEqualTo(open);
    }

    @ParameterizedTest
    @CsvSource({
        "http://FIRST?queue=5&connections=3&answer-time=7s, true",
        "http://FIRST?host=other&redirect=default&sticky=srv, true",
        "http://FIRST?weights=5, true",
        "http://SECOND, false",
        "'http://FIRST,SECOND', false",
        "http://FIRST?check=/, false",
        "scgi://FIRST, false",
        "fastcgi://FIRST, false"
    })
    void poolStaysIfOnlyWhatMayChangeHasChanged(String next, boolean stays) {
        change("/a=http://FIRST");
        PeerPool before = pool("/a");
        change("/a=" + next);
        assertThat(pool("/a").equals(before)).isEqualTo(stays);
    }

    @Test
    void newLimitsWeightsAndNameCount() {
        change("/a=http://FIRST,SECOND");
        PeerPool pool = pool("/a");
        change("/b=http://FIRST,SECOND?queue=5&connections=3&weights=7,0");
        assertThat(pool("/b")).isSameAs(pool);
        assertThat(pool.name()).isEqualTo("/b");
        assertThat(pool.status().name()).isEqualTo("/b");
        assertThat(pool.limits().queueMax()).isEqualTo(5);
        assertThat(pool.limits().connectionsMax()).isEqualTo(3);
        assertThat(pool.upstreams()).extracting(one -> one.share().weight()).containsExactly(7, 0);
        for (int i = 0; i < 4; i++) {
            assertThat(get("/b").text()).isEqualTo("first");
        }
    }

    @Test
    void mountsWithOtherLimitsGetPoolsOfTheirOwn() {
        change("/a=http://FIRST", "/b=http://FIRST");
        PeerPool shared = pool("/a");
        assertThat(pool("/b")).isSameAs(shared);
        change("/b=http://FIRST?queue=5", "/a=http://FIRST");
        assertThat(pool("/a")).as("the equal settings come first").isSameAs(shared);
        assertThat(pool("/b")).isNotSameAs(shared);
        assertThat(shared.name()).isEqualTo("/a");
        PeerPool own = pool("/b");
        change("/a=http://FIRST?queue=5", "/b=http://FIRST?queue=5");
        assertThat(pool("/a")).isSameAs(own);
        assertThat(pool("/b")).isSameAs(own);
    }

    @Test
    void formerPoolKeepsNoConnection() {
        change("/a=http://FIRST");
        assertThat(get("/a").text()).isEqualTo("first");
        PeerPool before = pool("/a");
        change("/a=http://SECOND");
        assertThat(get("/a").text()).isEqualTo("second");
        Await.until("its idle connections are closed", () -> before.open() == 0);
    }

    @Test
    void cancelledChangeLeavesAllAsItWas() throws Exception {
        change("/a=http://FIRST?queue=5");
        PeerPool before = pool("/a");
        assertThat(get("/a").text()).isEqualTo("first");
        NeighbourChange dropped =
                NeighbourChange.prepare(
                        present, settings("/a=http://FIRST?queue=6", "/b=http://SECOND"), quota);
        PeerPool other = requireNonNull(dropped.next().get("/b")).pool();
        dropped.cancel();
        assertThat(before.limits().queueMax()).isEqualTo(5);
        assertThat(before.open()).isPositive();
        assertThat(get("/a").text()).isEqualTo("first");
        assertThat(served(before)).isEqualTo(2);
        assertThat(other.open()).isZero();
    }

    @Test
    void folderThatCannotBeReadChangesNothing() throws Exception {
        change("/a=http://FIRST");
        assertThat(get("/a").text()).isEqualTo("first");
        Map<String, Neighbour> settings = settings("/a=http://SECOND");
        Neighbour php =
                requireNonNull(
                        settings("/b=fastcgi://FIRST?root=/srv/no-such-folder&remote=yes")
                                .get("/b"));
        Neighbour.Fastcgi remote = (Neighbour.Fastcgi) php.kind();
        FastcgiTarget local =
                new FastcgiTarget(
                        remote.target().root(), true, "index.php", null, null, false, List.of());
        settings.put(
                "/b",
                new Neighbour(
                        php.text(),
                        php.addresses(),
                        php.limits(),
                        new Neighbour.Fastcgi(local, true, remote.files())));
        assertThatThrownBy(() -> NeighbourChange.prepare(present, settings, quota))
                .isInstanceOf(IOException.class);
        assertThat(get("/a").text()).isEqualTo("first");
        assertThat(pool("/a").open()).isPositive();
    }

    @Test
    void checksOfAKeptPoolContinueAndThoseOfAnotherEnd() {
        change("/a=http://FIRST,SECOND?check=/&check-every=1ms");
        PeerPool pool = pool("/a");
        change("/a=http://FIRST,SECOND?check=/&check-every=1ms&queue=5");
        assertThat(pool("/a")).isSameAs(pool);
        Upstream ended = pool.upstreams().getLast();
        second.close();
        Await.until("the check notices the end", () -> !ended.isUp(System.nanoTime()));
    }

    /// Clients that send one request after the other notice nothing of many changes.
    @Test
    void noRequestFailsWhileSettingsChange() throws Exception {
        change("/a=http://FIRST");
        Queue<String> wrong = new ConcurrentLinkedQueue<>();
        AtomicInteger answers = new AtomicInteger();
        List<Thread> clients = new ArrayList<>();
        AtomicBoolean ends = new AtomicBoolean();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                try (RawClient client =
                                        RawClient.connect(front.addresses().getFirst())) {
                                    while (!ends.get()) {
                                        RawResponse answer =
                                                client.exchange(
                                                        "GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
                                        if (answer.status() != 200) {
                                            wrong.add(answer.toString());
                                        }
                                        answers.incrementAndGet();
                                    }
                                } catch (RuntimeException | Error e) {
                                    wrong.add(e.toString());
                                }
                            }));
        }
        String[] next = {
            "http://FIRST",
            "http://SECOND",
            "http://FIRST,SECOND?weights=3,1",
            "http://FIRST,SECOND?weights=1,3&connections=2",
            "http://FIRST?connections=1",
            "http://FIRST?sticky=srv"
        };
        for (int i = 0; i < CHANGES; i++) {
            int before = answers.get();
            Await.until(
                    "requests are answered",
                    () -> answers.get() >= before + REQUESTS_BETWEEN || !wrong.isEmpty());
            change("/a=" + next[i % next.length]);
        }
        ends.set(true);
        for (Thread client : clients) {
            client.join();
        }
        assertThat(wrong).isEmpty();
        assertThat(answers.get()).isGreaterThanOrEqualTo(CHANGES * REQUESTS_BETWEEN);
        PeerPool last = pool("/a");
        for (PeerPool pool : pools) {
            if (!pool.equals(last)) {
                Await.until("former connections are closed", () -> pool.open() == 0);
            }
        }
    }
}
