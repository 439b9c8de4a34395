package dev.serval.gateway.peer;

import dev.serval.net.Connection;
import dev.serval.net.NetLoop;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The peers of one application: processes that have dialled in, or upstreams that are connected
/// to when they are needed.
///
/// A request takes an idle peer of its own loop. If there is none, it waits in one queue for all
/// loops, and a peer of another loop moves to it. Upstreams are connected to if no peer is idle
/// anywhere. The queue is first in, first out; a loop never waits for another one:
///
/// - A loop adds its ticket to the queue, and then looks whether other loops have idle peers.
/// - A loop counts its idle peer, and then looks whether tickets wait.
///
/// Both accesses are volatile, so at least one of the two sees the other. Any thread may read the
/// status; all else is called on a loop.
@SuppressWarnings("exports") // only the gateway and its protocols use it
public final class PeerPool {
    /// The most upstreams of one pool.
    public static final int UPSTREAMS_MAX = 64;

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private volatile String name;
    private final StreamedUploads uploads;
    private volatile PoolLimits limits;
    private final Upstream[] upstreams;
    private final boolean dialsOut;
    private final UpstreamChoice choice;
    private final PoolLoops loops;
    private final TicketQueue queue;
    private volatile PoolLog log;
    private volatile boolean draining;
    private volatile boolean retired;
    private volatile @Nullable Long emptySinceNanos;

    private PeerPool(String name, PoolLimits limits, Upstream[] upstreams, boolean dialsOut) {
        this.name = name;
        this.log = new PoolLog(name);
        this.limits = limits;
        this.upstreams = upstreams;
        this.dialsOut = dialsOut;
        this.queue = new TicketQueue();
        this.uploads = new StreamedUploads(() -> limits().connectionsMax() * upstreams.length);
        this.loops = new PoolLoops(net -> new PoolLoop(this, net, upstreams.length, dialsOut));
        this.choice = new UpstreamChoice(upstreams, dialsOut, limits.connectionsMax());
        for (int i = 0; i < upstreams.length; i++) {
            upstreams[i].index(i);
        }
    }

    /// Creates the pool of an application whose peers dial in ([#join]).
    ///
    /// @param name for people
    public static PeerPool dialIn(String name, PoolLimits limits) {
        return new PeerPool(name, limits, new Upstream[] {Upstream.ofDialIn(name)}, false);
    }

    /// Creates a pool that connects to upstreams.
    ///
    /// @param name for people
    /// @param upstreams at least one, which belong to no other pool
    public static PeerPool dialOut(String name, PoolLimits limits, List<Upstream> upstreams) {
        if (upstreams.isEmpty() || upstreams.size() > UPSTREAMS_MAX) {
            throw new IllegalArgumentException(
                    "A pool needs from 1 to " + UPSTREAMS_MAX + " upstreams");
        }
        if (upstreams.stream().allMatch(one -> one.share().weight() == 0)) {
            throw new IllegalArgumentException(
                    "A pool needs an upstream whose weight is above 0, for new requests");
        }
        return new PeerPool(name, limits, upstreams.toArray(Upstream[]::new), true);
    }

    /// Returns the name.
    public String name() {
        return name;
    }

    /// Replaces the name. Any thread.
    public void name(String next) {
        name = next;
        log = new PoolLog(next);
    }

    /// Returns the limits.
    public PoolLimits limits() {
        return limits;
    }

    /// Replaces the limits. They count for what begins from now on. Connections beyond a lower limit
    /// stay until they have been idle for long enough. Any thread.
    public void limits(PoolLimits next) {
        limits = next;
        choice.connectionsMax(next.connectionsMax());
        loops.matchAll(); // more connections may be allowed
    }

    /// Returns the count of requests that may hold connections for as long as their clients like.
    public StreamedUploads uploads() {
        return uploads;
    }

    /// Returns the upstreams; one without an address for peers that dial in.
    public List<Upstream> upstreams() {
        return List.of(upstreams);
    }

    /// Finds a peer for a request. On the loop of its exchange.
    ///
    /// @return the place in the queue, or null if a method of the request was called already
    public @Nullable PeerTicket acquire(PeerRequest request) {
        PoolLoop here = at(NetLoop.of(request.exchange().loop()));
        if (!limits.halfClose()) {
            request.exchange().endsWithClient();
        }
        if (draining) {
            refuse(here, request, Refusal.DRAINED);
            return null;
        }
        if (!queue.hasWaiting()) {
            @Nullable Peer idle = take(here, request);
            if (idle != null) {
                grant(idle, request);
                return null;
            }
        }
        PeerTicket ticket = new PeerTicket(this, request, here.net);
        seek(here, ticket);
        return ticket.isWaiting() ? ticket : null;
    }

    /// Adds a peer that has dialled in. It serves requests after [Peer#startAfter]. The caller hands its
    /// connection to the peer (`connection.driver(peer)`).
    ///
    /// @return null if the application has as many peers as the limit allows
    public @Nullable Peer join(Connection connection) {
        Upstream place = upstreams[0];
        if (dialsOut || draining || !place.reserve(limits.connectionsMax())) {
            return null;
        }
        return new Peer(this, place, connection);
    }

    /// Accepts no more requests, and closes each peer after its request. Any thread.
    public void drain() {
        draining = true;
        loops.matchAll();
    }

    /// Keeps no idle connections from now on. Requests are still served, because some that another
    /// mount does not get may come late, such as those whose content is being collected. Any thread.
    public void retire() {
        retired = true;
        loops.matchAll();
    }

    /// Returns what the pool does now. Any thread.
    public PoolStatus status() {
        int busy = Arrays.stream(upstreams).mapToInt(Upstream::busy).sum();
        return loops.status(name, open(), busy, queue.size());
    }

    /// Returns the number of open connections. Any thread.
    public int open() {
        int sum = 0;
        for (Upstream one : upstreams) {
            sum += one.open() + one.lasting();
        }
        return sum;
    }

    /// Returns when the last peer that had dialled in left, by the clock of the loops; null if none
    /// has. Others may have joined since. Any thread.
    public @Nullable Long emptySinceNanos() {
        return emptySinceNanos;
    }

    // For peers and tickets

    /// Takes back a peer that can serve another request.
    void free(Peer peer) {
        PoolLoop here = at(peer.net());
        if (draining || (retired && !queue.hasWaiting())) {
            peer.close();
            return;
        }
        peer.rest(limits.idleNanos());
        here.idle[peer.upstream().index()].add(peer);
        if (queue.hasWaiting()) {
            match(here);
        }
    }

    /// Gives a peer that has come to this loop to the request that it is for.
    void arrived(Peer peer, @Nullable PeerTicket wanted) {
        if (wanted == null || !wanted.isWaiting()) {
            free(peer);
            return;
        }
        wanted.end();
        peer.upstream().begin();
        peer.grant(wanted.request());
    }

    /// Looks again for a peer for a request whose peer has left on its way.
    void again(PeerTicket ticket) {
        ticket.net()
                .loop()
                .execute(() -> {
                    if (ticket.isWaiting()) {
                        requeue(at(ticket.net()), ticket);
                    }
                });
    }

    /// Connects to an upstream that was not tried yet, or puts a ticket back in front of the others,
    /// with its deadline. It is refused if all upstreams were tried, or the others have no connection
    /// that could become free, because another round would find nothing new.
    private void requeue(PoolLoop here, PeerTicket ticket) {
        boolean tried = ticket.tried() != 0;
        if (tried && dial(here, ticket)) {
            return;
        }
        if (draining) {
            refuse(here, ticket, Refusal.DRAINED);
        } else if (tried && !choice.mayBecomeFree(ticket.tried())) {
            refuse(here, ticket, ticket.lacksMeans() ? Refusal.NO_MEANS : Refusal.UNREACHABLE);
        } else if (!dialsOut && upstreams[0].open() == 0) {
            refuse(here, ticket, Refusal.NO_PEER);
        } else {
            queue.addFirst(ticket);
            lookAgain(here);
        }
    }

    /// Looks again for a peer for a request in the queue: an upstream may be up again, and nothing
    /// tells a loop that a rest is over.
    void look(PeerTicket ticket) {
        lookAgain(at(ticket.net()));
    }

    /// Takes a ticket out of the queue.
    ///
    /// @return whether it was there; if not, a peer is on its way
    boolean cancelled(PeerTicket ticket) {
        return queue.remove(ticket);
    }

    void left(Peer peer) {
        Upstream upstream = peer.upstream();
        PoolLoop here = at(peer.net());
        if (peer.isLasting()) {
            upstream.endLasting();
            return;
        }
        here.idle[upstream.index()].remove(peer);
        int others = upstream.left();
        if (dialsOut) {
            dialForWaiting(here);
        } else if (others == 0) {
            emptySinceNanos = here.net.loop().nowNanos();
            refuseAll(Refusal.NO_PEER);
        }
    }

    /// Lets another connection be opened in place of one that lasts.
    ///
    /// @return whether there are not too many of these
    boolean lasts(Peer peer) {
        boolean counted = dialsOut && peer.upstream().beginLasting(Upstream.LASTING_MAX);
        if (counted) {
            dialForWaiting(at(peer.net()));
        }
        return counted;
    }

    void served(Peer peer, long nanos) {
        at(peer.net()).countServed();
        if (!peer.isLasting()) {
            at(peer.net()).times.record(nanos); // else its client decides how long it takes
        }
        if (peer.upstream().succeeded()) {
            log.answersAgain(peer.upstream());
        }
    }

    void failed(Peer peer, PeerFault why) {
        at(peer.net()).count(why);
        // A request that ends each process which gets it must not make all upstreams rest.
        boolean again = why == PeerFault.LOST && peer.hasRepeat();
        if (why.isUnhealthy() && !again) {
            unhealthy(peer.upstream(), why, peer.startedNanos(), peer.nowNanos());
        }
    }

    private void unhealthy(Upstream upstream, PeerFault why, long begunNanos, long nowNanos) {
        if (upstream.failed(limits, begunNanos, nowNanos)) {
            log.rests(upstream, why);
        }
    }

    void unasked(Peer peer) {
        at(peer.net()).count(PeerFault.UNASKED);
        log.unasked(peer.upstream());
    }

    /// Ends the wait of a ticket whose time is over.
    void late(PeerTicket ticket) {
        cancelled(ticket);
        refuse(at(ticket.net()), ticket, Refusal.QUEUE_TIMEOUT);
    }

    /// Gives idle peers of this loop to the requests that wait longest, on any loop.
    void match(PoolLoop here) {
        if (draining) {
            closeIdle(here);
            refuseAll(Refusal.DRAINED);
            return;
        }
        matchWaiting(here);
        if (retired) {
            closeIdle(here);
        }
    }

    private static void closeIdle(PoolLoop here) {
        for (IdlePeers peers : here.idle) {
            peers.closeAll();
        }
    }

    private void matchWaiting(PoolLoop here) {
        long now = here.net.loop().nowNanos();
        long open = choice.open(now);
        long among = queue.hasBound() ? -1 : open; // as bits: those that a ticket may wait for
        while (queue.hasWaiting()) {
            int best = choice.idle(here, among);
            if (best < 0) {
                dialForWaiting(here);
                return;
            }
            @Nullable Peer peer = here.idle[best].take();
            if (peer == null) {
                continue; // they had left
            }
            Predicate<PeerTicket> fits = one -> choice.accepts(one, best, open, now);
            @Nullable PeerTicket ticket = queue.claimed(fits);
            if (ticket != null) {
                choice.took(here, best);
                hand(peer, ticket);
                continue;
            }
            here.idle[best].add(peer);
            // A loop that adds a ticket now may have looked while the peer was taken.
            if (!queue.has(fits)) {
                among &= ~(1L << best);
            }
        }
    }

    private void hand(Peer peer, PeerTicket ticket) {
        if (ticket.net().equals(peer.net())) {
            ticket.end();
            grant(peer, ticket.request());
        } else if (!peer.move(ticket)) {
            again(ticket);
        }
    }

    private void grant(Peer peer, PeerRequest request) {
        peer.upstream().begin();
        peer.grant(request);
    }

    /// Returns an idle peer of this loop, if it is one of the best upstream that can serve now. There is
    /// none for a request that was lost at an upstream: one that was restarted has lost all its idle
    /// connections, and the others were often restarted with it.
    private @Nullable Peer take(PoolLoop here, PeerRequest request) {
        if (request.lostAt() != 0) {
            return null;
        }
        if (upstreams.length == 1) {
            return here.idle[0].take();
        }
        int best = choice.idleOrDial(here, request.boundTo());
        if (best < 0) {
            return null;
        }
        @Nullable Peer peer = here.idle[best].take();
        if (peer != null) {
            choice.took(here, best);
        }
        return peer; // without one, the upstream is to be connected to
    }

    /// Queues a request, or connects for it.
    private void seek(PoolLoop here, PeerTicket ticket) {
        if (!dialsOut && upstreams[0].open() == 0) {
            refuse(here, ticket, Refusal.NO_PEER);
            return;
        }
        // A request that was lost is connected for, see take.
        boolean idleElsewhere = ticket.lost() == 0 && loops.idleElsewhere(here);
        if (dialsOut && !queue.hasWaiting() && !idleElsewhere && dial(here, ticket)) {
            return;
        }
        if (!queue.reserve(limits.queueMax())) {
            refuse(here, ticket, Refusal.QUEUE_FULL);
            return;
        }
        waitFor(ticket);
        queue.addLast(ticket);
        lookAgain(here);
    }

    /// Sets the deadline of a ticket, and how often it looks again: with one upstream never.
    private void waitFor(PeerTicket ticket) {
        ticket.waitFor(
                limits.queueNanos(), upstreams.length > 1 ? LOOK_NANOS : limits.queueNanos());
    }

    /// Looks for what may have changed while a ticket was being added to the queue.
    private void lookAgain(PoolLoop here) {
        if (!dialsOut && upstreams[0].open() == 0) {
            refuseAll(Refusal.NO_PEER);
            return;
        }
        boolean found = loops.matchIdle(here);
        if (here.hasIdle()) {
            match(here);
        } else if (!found) {
            dialForWaiting(here);
        }
    }

    /// Connects to the least busy upstream for a ticket that this loop has claimed or that is not
    /// queued. On the loop of its exchange.
    ///
    /// @return whether there is an upstream to connect to
    private boolean dial(PoolLoop here, PeerTicket ticket) {
        int best = choice.dial(here, ticket);
        if (best < 0 || !upstreams[best].reserve(limits.connectionsMax())) {
            return false;
        }
        choice.took(here, best);
        ticket.claim();
        waitFor(ticket);
        ticket.tries(best);
        new Dial(this, upstreams[best], ticket).start();
        return true;
    }

    /// Looks for another upstream, because nothing was sent to this one.
    void unreachable(
            Upstream upstream,
            PeerTicket ticket,
            long begunNanos,
            PeerFault fault,
            IOException why) {
        upstream.left(); // first: without memory, all else may fail
        PoolLoop here = at(ticket.net());
        here.net
                .loop()
                .reportLost("No connection to upstream " + upstream.name() + " of " + name, why);
        if (fault.isUnhealthy()) {
            unhealthy(upstream, fault, begunNanos, here.net.loop().nowNanos());
        }
        here.count(fault);
        ticket.noteLackOfMeans(fault == PeerFault.NO_MEANS);
        if (ticket.isWaiting()) {
            requeue(here, ticket);
        }
        dialForWaiting(here);
    }

    /// Connects for the request that waits longest, if an upstream allows another connection.
    private void dialForWaiting(PoolLoop here) {
        if (!dialsOut || draining || !queue.hasWaiting()) {
            return;
        }
        @Nullable PeerTicket ticket = queue.claimed(one -> choice.dial(here, one) >= 0);
        if (ticket == null) {
            return;
        }
        PoolLoop there = at(ticket.net());
        there.net
                .loop()
                .execute(() -> {
                    if (!ticket.isWaiting()) {
                        dialForWaiting(there); // its client has left; another one may wait
                    } else if (!dial(there, ticket)) {
                        again(ticket);
                    }
                });
    }

    private void refuseAll(Refusal why) {
        for (@Nullable PeerTicket one = queue.claimed(); one != null; one = queue.claimed()) {
            PeerTicket ticket = one;
            ticket.net().loop().execute(() -> refuse(at(ticket.net()), ticket, why));
        }
    }

    private static void refuse(PoolLoop here, PeerTicket ticket, Refusal why) {
        if (ticket.isWaiting()) {
            here.count(why);
            ticket.refuse(why);
        }
    }

    private static void refuse(PoolLoop here, PeerRequest request, Refusal why) {
        here.count(why);
        request.refused(why);
    }

    private PoolLoop at(NetLoop net) {
        return loops.at(net);
    }
}
