package dev.serval.gateway.peer;

/// Chooses an upstream of a [PeerPool]: the least busy one that can serve, of equal ones each in
/// turn. One that is not up is left out as long as another one is up, even if all connections to
/// the other one are in use: a request waits rather than fails. Called on any loop.
final class UpstreamChoice {
    private static final int NONE = -1;

    private final Upstream[] upstreams;
    private final int connectionsMax; // 0 for peers that dial in

    /// Creates the choice of a pool.
    ///
    /// @param connectionsMax connections that may be opened to each upstream; 0 for none
    UpstreamChoice(Upstream[] upstreams, int connectionsMax) {
        this.upstreams = upstreams;
        this.connectionsMax = connectionsMax;
    }

    /// Returns the number of an upstream that has an idle peer here; -1 if there is none.
    int idle(PoolLoop here) {
        return best(here, true, false, 0, 0);
    }

    /// Returns the number of an upstream that has an idle peer here or can be connected to; -1 if
    /// there is none.
    ///
    /// @param lost the numbers of upstreams to leave out as long as another one is up, as bits. Their
    ///     idle peers do not count, because an upstream that was killed has lost them all
    int idleOrDial(PoolLoop here, long lost) {
        return best(here, true, true, 0, lost);
    }

    /// Returns the number of an upstream that can be connected to; -1 if there is none.
    ///
    /// @param tried the numbers of upstreams to leave out, as bits
    /// @param lost the numbers of upstreams to leave out as long as another one is up, as bits
    int dial(PoolLoop here, long tried, long lost) {
        return best(here, false, true, tried, lost);
    }

    /// Notes that an upstream was chosen, so that the next one comes first.
    void took(PoolLoop here, int chosen) {
        here.turn = (chosen + 1) % upstreams.length;
    }

    /// Returns whether an upstream has connections, one of which may become free.
    ///
    /// @param tried the numbers of upstreams to leave out, as bits
    boolean mayBecomeFree(long tried) {
        for (int i = 0; i < upstreams.length; i++) {
            if (isLeft(i, tried) && upstreams[i].open() > 0) {
                return true;
            }
        }
        return false;
    }

    private int best(PoolLoop here, boolean idle, boolean dial, long tried, long lost) {
        long now = here.net.loop().nowNanos();
        long out = lost != 0 && isAnyUp(now, tried | lost) ? tried | lost : tried;
        boolean upOnly = isAnyUp(now, out);
        int found = NONE;
        int least = Integer.MAX_VALUE;
        for (int k = 0; k < upstreams.length; k++) {
            int i = (here.turn + k) % upstreams.length;
            Upstream one = upstreams[i];
            boolean rests = idle && isLeft(i, lost) && here.idle[i].count() > 0;
            boolean able = rests || (dial && one.open() < connectionsMax);
            boolean allowed = isLeft(i, out) && (!upOnly || one.isUp(now));
            if (able && allowed && one.load() < least) {
                least = one.load();
                found = i;
            }
        }
        return found;
    }

    /// Returns whether an upstream that was not tried is up.
    private boolean isAnyUp(long now, long tried) {
        for (int i = 0; i < upstreams.length; i++) {
            if (isLeft(i, tried) && upstreams[i].isUp(now)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isLeft(int upstream, long tried) {
        return (tried & 1L << upstream) == 0;
    }
}
