package dev.serval.gateway.peer;

/// Chooses an upstream of a [PeerPool]: the one that can serve and is least busy in relation to its
/// weight. Of equal ones each comes in turn, as often as its weight says. Called on any loop.
///
/// One that is not up is left out as long as another one is up, even if all connections to the other
/// one are in use: a request waits rather than fails. Backups are left out as long as another
/// upstream is up. One whose weight is 0 gets only requests that are bound to it.
///
/// A request that is bound to an upstream goes to no other one, as long as that is up and has not
/// failed it.
final class UpstreamChoice {
    private static final int NONE = -1;

    /// How far an upstream of weight 1 moves at each turn. With the largest weight the rounding
    /// error is below 0.01 %.
    private static final long STRIDE = 1L << 24;

    private final Upstream[] upstreams;
    private final boolean dialsOut;
    private volatile int connectionsMax;

    /// Creates the choice of a pool.
    ///
    /// @param dialsOut whether upstreams can be connected to
    /// @param connectionsMax connections that may be opened to each upstream
    UpstreamChoice(Upstream[] upstreams, boolean dialsOut, int connectionsMax) {
        this.upstreams = upstreams;
        this.dialsOut = dialsOut;
        this.connectionsMax = connectionsMax;
    }

    /// Replaces the limit of connections to each upstream.
    void connectionsMax(int next) {
        connectionsMax = next;
    }

    /// Returns the number of an upstream that has an idle peer here; -1 if there is none.
    ///
    /// @param among the numbers of the upstreams to choose from, as bits
    int idle(PoolLoop here, long among) {
        int found = NONE;
        for (int i = 0; i < upstreams.length; i++) {
            boolean able = isIn(i, among) && here.idle[i].count() > 0;
            if (able && (found < 0 || comesBefore(here, i, found))) {
                found = i;
            }
        }
        return found;
    }

    /// Returns the number of an upstream that has an idle peer here or can be connected to; -1 if
    /// there is none.
    ///
    /// @param bound see [PeerRequest#boundTo]
    int idleOrDial(PoolLoop here, int bound) {
        return best(here, true, candidates(here, 0, 0, bound));
    }

    /// Returns the number of an upstream that can be connected to; -1 if there is none.
    int dial(PoolLoop here, PeerTicket ticket) {
        return best(here, false, candidates(here, ticket.tried(), ticket.lost(), ticket.bound()));
    }

    /// Notes that an upstream was chosen, so that the next one comes first. Each upstream has a
    /// position, which moves less the larger its weight is; the one that is behind comes first. One
    /// that was not chosen for long begins at the position of the others.
    void took(PoolLoop here, int chosen) {
        long from = here.positions[chosen];
        long start = from - here.position > 0 ? from : here.position;
        here.position = start;
        here.positions[chosen] = start + STRIDE / weight(chosen);
    }

    /// Returns whether upstreams have connections, one of which may become free for any request.
    ///
    /// @param tried the numbers of upstreams to leave out, as bits
    boolean mayBecomeFree(long tried) {
        long left = takers(tried);
        for (int i = 0; i < upstreams.length; i++) {
            if (isIn(i, left) && upstreams[i].open() > 0) {
                return true;
            }
        }
        return false;
    }

    /// Returns whether a request that waits may go to an upstream.
    ///
    /// @param open what [#open] returns for the same instant
    boolean accepts(PeerTicket ticket, int upstream, long open, long nowNanos) {
        int bound = ticket.bound();
        return holds(bound, ticket.tried() | ticket.lost(), nowNanos)
                ? bound == upstream
                : isIn(upstream, open);
    }

    /// Returns the numbers of the upstreams for requests that are not bound, as bits.
    long open(long nowNanos) {
        long up = up(nowNanos, 0);
        return up != 0 ? up : takers(0);
    }

    private int best(PoolLoop here, boolean idle, long candidates) {
        int found = NONE;
        for (int i = 0; i < upstreams.length; i++) {
            boolean rests = idle && here.idle[i].count() > 0;
            boolean able = rests || (dialsOut && upstreams[i].open() < connectionsMax);
            boolean allowed = able && isIn(i, candidates);
            if (allowed && (found < 0 || comesBefore(here, i, found))) {
                found = i;
            }
        }
        return found;
    }

    private long candidates(PoolLoop here, long tried, long lost, int bound) {
        long now = here.net.loop().nowNanos();
        if (holds(bound, tried | lost, now)) {
            return 1L << bound;
        }
        long up = up(now, tried);
        long others = up & ~lost;
        return others != 0 ? others : up != 0 ? up : takers(tried);
    }

    /// Returns whether a request needs the upstream to which it is bound.
    ///
    /// @param failed the numbers of upstreams that have failed it, as bits
    private boolean holds(int bound, long failed, long now) {
        return bound >= 0 && !isIn(bound, failed) && upstreams[bound].isUp(now);
    }

    /// Returns the upstreams that are up; backups only if no other one is.
    private long up(long now, long tried) {
        long primaries = 0;
        long backups = 0;
        for (int i = 0; i < upstreams.length; i++) {
            Upstream.Share share = upstreams[i].share();
            if (share.weight() == 0 || isIn(i, tried) || !upstreams[i].isUp(now)) {
                continue;
            }
            if (share.backup()) {
                backups |= 1L << i;
            } else {
                primaries |= 1L << i;
            }
        }
        return primaries != 0 ? primaries : backups;
    }

    /// Returns the upstreams that take requests which are not bound to them.
    private long takers(long tried) {
        long takers = 0;
        for (int i = 0; i < upstreams.length; i++) {
            if (upstreams[i].share().weight() > 0 && !isIn(i, tried)) {
                takers |= 1L << i;
            }
        }
        return takers;
    }

    /// Returns whether upstream `a` is less busy in relation to its weight, or as busy and further
    /// behind in turn.
    private boolean comesBefore(PoolLoop here, int a, int b) {
        long loadA = (long) upstreams[a].load() * weight(b);
        long loadB = (long) upstreams[b].load() * weight(a);
        return loadA < loadB || (loadA == loadB && here.positions[a] - here.positions[b] < 0);
    }

    private int weight(int upstream) {
        return Math.max(1, upstreams[upstream].share().weight());
    }

    private static boolean isIn(int upstream, long bits) {
        return (bits & 1L << upstream) != 0;
    }
}
