package dev.serval.gateway.lrwp;

import dev.serval.conn.Protocol;
import dev.serval.gateway.peer.PoolStatus;
import dev.serval.gateway.spool.SpoolQuota;
import dev.serval.handler.Handler;
import dev.serval.loop.Clock;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;

/// Lets applications in other processes dial in and serve the paths that they register (LRWP 1.0 and
/// 2.0).
///
/// ```
/// LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT);
/// Serval.builder()
///     .listen(8080)
///     .listen(new ListenerSpec(loopback1081).withProtocol(agent.protocol()))
///     .mount("/", agent.handler(), files)
///     .mount("/shop", agent.guardedHandler(), shop)
///     .start();
/// agent.mounts(new LrwpMounts(Set.of("/"), Set.of("/shop")));
/// ```
/// Any thread.
public final class LrwpAgent {
    private final LrwpRegistry registry;
    private final Clock clock;
    private final SpoolQuota quota;
    private final LrwpEntrance entrance;
    private final LrwpHandler handler;
    private final AtomicReference<LrwpMounts> mounts = new AtomicReference<>(LrwpMounts.NONE);

    /// Creates an agent without applications.
    public LrwpAgent(LrwpSettings settings) {
        this(settings, new SecureRandom(), Clock.SYSTEM);
    }

    /// Creates an agent with that source of challenges, which must be unpredictable and usable by
    /// any thread, and with the clock of the loops.
    LrwpAgent(LrwpSettings settings, RandomGenerator random, Clock clock) {
        this.clock = clock;
        this.registry = new LrwpRegistry(settings);
        this.quota = new SpoolQuota(settings.spool());
        this.entrance = new LrwpEntrance(settings, registry, mounts, random);
        this.handler = new LrwpHandler(settings, registry, quota);
    }

    /// Returns the protocol for the listeners to which peers connect.
    @SuppressWarnings("exports") // as in Protocol
    public Protocol protocol() {
        return entrance;
    }

    /// Returns the handler to put first in the chain of each mount that any application may take,
    /// such as one of files, and at `/`.
    public Handler handler() {
        return handler;
    }

    /// Returns the handler to put first in the chain of a mount that serves a web application or
    /// another server. It passes on all requests but those for an application that a rule of
    /// [AllowedNames] names, also if another one was registered before the mount was made.
    public Handler guardedHandler() {
        return handler.guarded();
    }

    /// Tells the agent what the server serves now, so that it refuses to register names without a
    /// rule in front of guarded mounts.
    public void mounts(LrwpMounts now) {
        mounts.set(now);
    }

    /// Returns what each application does now, in the order of their first registration. One whose
    /// last peer left long ago is forgotten ([LrwpSettings.Names]).
    public List<PoolStatus> status() {
        registry.forget(clock.nanos());
        return registry.routes().all().stream().map(one -> one.pool().status()).toList();
    }

    /// Returns how many peers were refused since the start.
    public long refused() {
        return registry.refused();
    }

    /// Returns the number of connections that have not registered yet.
    public int unregistered() {
        return registry.unregistered();
    }

    /// Returns the memory and disk space that waiting contents use.
    public SpoolQuota spool() {
        return quota;
    }
}
