package dev.serval.gateway.peer;

import dev.serval.gateway.tls.TlsTrouble;
import dev.serval.gateway.tls.UpstreamTls;
import dev.serval.loop.Deadline;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// One server that a pool connects to, or the place of all peers that have dialled in. It counts
/// connections and requests on all loops, and rests after several failures in a row.
///
/// A server may have several addresses, such as `localhost` in IPv4 and IPv6. A connection is tried at
/// each of them, first at the one that was connected to last.
///
/// ```
///   UP ── failuresMax failures in a row ──▶ RESTING ── time over ──▶ TRIAL ── success ──▶ UP
///                                              ▲                       │
///                                              └─── failure, twice as long
/// ```
/// What began before the end of a rest is no trial: its failure does not count. So the requests that
/// one restart of an upstream ends make it rest once, not longer for each of them. One that rests is
/// not used while another upstream is up; if all rest, the least busy is tried. Any thread.
public final class Upstream {
    private final List<SocketAddress> addresses;
    private final String name;
    private final @Nullable UpstreamTls tls;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger lasting = new AtomicInteger(); // connections that are not in open
    private final AtomicInteger busy = new AtomicInteger();
    private final AtomicInteger dialled = new AtomicInteger();
    private final AtomicReference<Health> health = new AtomicReference<>(Health.FINE);
    private volatile boolean marked;
    private volatile Share share;
    private volatile @Nullable TlsTrouble trouble;
    private volatile int first; // of the addresses
    private int index;

    /// Which part of the requests of its pool an upstream gets.
    ///
    /// @param weight requests in relation to those of the other upstreams, from 1 to
    ///     [#WEIGHT_MAX]; 0 for none but those that are bound to it ([PeerRequest#boundTo])
    /// @param backup whether it gets requests only while no other upstream is up
    public record Share(int weight, boolean backup) {
        /// The largest weight.
        public static final int WEIGHT_MAX = 1000;

        /// The share of an upstream among equal ones.
        public static final Share EQUAL = new Share(1, false);

        /// Checks the weight.
        public Share {
            if (weight < 0 || weight > WEIGHT_MAX) {
                throw new IllegalArgumentException(
                        "The weight of an upstream is from 0 to " + WEIGHT_MAX + ", not " + weight);
            }
        }
    }

    /// The most connections to one upstream that carry tunnels and streams of events. More of them
    /// count as others do.
    static final int LASTING_MAX = 10_000;

    /// What requests have shown.
    ///
    /// @param failures in a row
    /// @param restUntilNanos NEVER if it does not rest
    private record Health(int failures, long restUntilNanos) {
        static final Health FINE = new Health(0, Deadline.NEVER);

        boolean rests() {
            return restUntilNanos != Deadline.NEVER;
        }

        Health failedOnce(PoolLimits limits, long nowNanos) {
            int inRow = failures + 1;
            if (inRow < limits.failuresMax()) {
                return new Health(inRow, Deadline.NEVER);
            }
            int doublings = Math.min(30, inRow - limits.failuresMax());
            double rest = (double) limits.restNanos() * (1L << doublings);
            return new Health(
                    inRow, nowNanos + (long) Math.min((double) limits.restMaxNanos(), rest));
        }
    }

    /// Creates an upstream that is up and has the same share as others.
    ///
    /// @param address an internet or Unix-domain address
    /// @param name for people
    public Upstream(SocketAddress address, String name) {
        this(address, name, Share.EQUAL);
    }

    /// Creates an upstream that is up.
    ///
    /// @param address an internet or Unix-domain address
    /// @param name for people
    /// @param share of the requests of its pool
    public Upstream(SocketAddress address, String name, Share share) {
        this(List.of(address), name, share, null);
    }

    /// Creates an upstream that is up.
    ///
    /// @param addresses at least one internet address, or without TLS also a Unix-domain address
    /// @param name for people
    /// @param share of the requests of its pool
    /// @param tls encrypts connections; null for none
    public Upstream(
            List<SocketAddress> addresses, String name, Share share, @Nullable UpstreamTls tls) {
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("An upstream needs an address");
        }
        this.addresses = List.copyOf(addresses);
        this.name = name;
        this.share = share;
        this.tls = tls;
    }

    private Upstream(String name) {
        this.addresses = List.of();
        this.tls = null;
        this.name = name;
        this.share = Share.EQUAL;
    }

    /// Returns the place of peers that dial in.
    ///
    /// @param name of their application, for people
    static Upstream ofDialIn(String name) {
        return new Upstream(name);
    }

    /// Returns the addresses in the order in which to try them; none for peers that dial in.
    public List<SocketAddress> addresses() {
        int from = first;
        if (from == 0) {
            return addresses;
        }
        List<SocketAddress> turned = new ArrayList<>(addresses);
        Collections.rotate(turned, -from);
        return turned;
    }

    /// Notes that an address could be connected to, so that it is tried first from now on.
    public void reached(SocketAddress address) {
        int index = addresses.indexOf(address);
        if (index != first) { // no write in the usual case: loops share this line
            first = index;
        }
    }

    /// Returns the name for people.
    public String name() {
        return name;
    }

    /// Returns what encrypts connections to it; null if they are not encrypted.
    public @Nullable UpstreamTls tls() {
        return tls;
    }

    /// Returns why TLS with it has failed last; null if it works.
    public @Nullable TlsTrouble trouble() {
        return trouble;
    }

    void trouble(@Nullable TlsTrouble next) {
        trouble = next;
    }

    /// Returns its share of the requests.
    public Share share() {
        return share;
    }

    /// Replaces its share of the requests that come from now on.
    public void share(Share next) {
        share = next;
    }

    /// Returns the number of connections, including those being opened, without those that last.
    public int open() {
        return open.get();
    }

    /// Returns the number of connections that last.
    int lasting() {
        return lasting.get();
    }

    /// Returns the number of requests in progress.
    public int busy() {
        return busy.get();
    }

    /// Returns the requests in progress and those for which it is being connected to. So an upstream
    /// that does not answer to a connect does not seem idle.
    int load() {
        return busy.get() + dialled.get();
    }

    void beginDial() {
        dialled.incrementAndGet();
    }

    void endDial() {
        dialled.decrementAndGet();
    }

    /// Returns whether requests should be sent to it.
    ///
    /// @param nowNanos of the monotonic clock
    public boolean isUp(long nowNanos) {
        Health now = health.get();
        return !marked && (!now.rests() || nowNanos - now.restUntilNanos >= 0);
    }

    /// Marks the result of an active check. An upstream that is marked down rests until it is
    /// marked up.
    public void mark(boolean up) {
        boolean was = marked;
        marked = !up;
        if (up && was) { // else the faults of requests count
            boolean _ = succeeded();
        }
    }

    /// Returns its number in the pool, from 0.
    public int index() {
        return index;
    }

    void index(int number) {
        index = number;
    }

    /// Counts a success.
    ///
    /// @return whether it ends a rest
    boolean succeeded() {
        if (trouble != null) {
            trouble = null;
        }
        if (health.get().failures == 0) { // no write in the usual case: loops share this line
            return false;
        }
        return health.getAndSet(Health.FINE).rests();
    }

    /// Counts a failure, unless what has failed began before the end of a rest.
    ///
    /// @param begunNanos when the request or the attempt to connect began
    /// @return whether it begins the first rest
    boolean failed(PoolLimits limits, long begunNanos, long nowNanos) {
        while (true) {
            Health before = health.get();
            if (before.rests() && begunNanos - before.restUntilNanos < 0) {
                return false;
            }
            Health after = before.failedOnce(limits, nowNanos);
            if (health.compareAndSet(before, after)) {
                return after.failures == limits.failuresMax();
            }
        }
    }

    /// Counts a connection that is to be opened.
    ///
    /// @return whether the limit allows it
    boolean reserve(int most) {
        int now = open.get();
        while (now < most) {
            if (open.compareAndSet(now, now + 1)) {
                return true;
            }
            now = open.get();
        }
        return false;
    }

    /// Counts a connection that has ended.
    ///
    /// @return how many are left
    int left() {
        return open.decrementAndGet();
    }

    /// Counts an open connection as one that lasts.
    ///
    /// @return whether the limit allows it
    boolean beginLasting(int most) {
        if (lasting.incrementAndGet() > most) {
            lasting.decrementAndGet();
            return false;
        }
        open.decrementAndGet();
        return true;
    }

    void endLasting() {
        lasting.decrementAndGet();
    }

    void begin() {
        busy.incrementAndGet();
    }

    void end() {
        busy.decrementAndGet();
    }
}
