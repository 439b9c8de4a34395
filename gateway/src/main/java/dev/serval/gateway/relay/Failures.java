package dev.serval.gateway.relay;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.peer.Peer;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.peer.Refusal;
import dev.serval.gateway.peer.Upstream;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler.Maintenance;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.RequestHead;
import dev.serval.http.Status;
import dev.serval.http.Target;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Answers exchanges of one mount that got no answer from their peer, and tells the log why. Any
/// thread.
public final class Failures {
    private static final String LATE = "The application behind this server did not answer in time.";

    private final PeerPool pool;
    private final FailureLog log;

    /// Creates the failures of a mount.
    public Failures(PeerPool pool) {
        this.pool = pool;
        this.log = new FailureLog(new ErrorLog(pool.name())::add);
    }

    /// Answers a request for which the pool found no peer.
    public void refused(EngineExchange x, Refusal why) {
        switch (why) {
            case QUEUE_FULL, QUEUE_TIMEOUT, NO_PEER, DRAINED ->
                    unavailable(
                            x,
                            "The application has no room for this request at the moment; please"
                                    + " try again.",
                            cause(why));
            case UNREACHABLE -> {
                tell(x, Status.BAD_GATEWAY, upstreams(), cause(why));
                x.refuse(
                        Status.BAD_GATEWAY,
                        Fields.EMPTY,
                        "The application behind this server cannot be reached.");
            }
        }
    }

    /// Answers a request for which there is no room.
    ///
    /// @param what for the client
    /// @param cause for the log
    public void unavailable(EngineExchange x, String what, String cause) {
        tell(x, Status.SERVICE_UNAVAILABLE, upstreams(), cause);
        x.refuse(Status.SERVICE_UNAVAILABLE, Fields.of(FieldName.RETRY_AFTER, "1"), what);
    }

    /// Answers a request whose peer left or sent a wrong answer. A response that has begun is
    /// cut: the client gets what came, and notices that it is not complete.
    ///
    /// @param peer null if it is not known any more
    /// @param begun whether the response has begun
    public void broken(EngineExchange x, @Nullable Peer peer, boolean begun, String what) {
        tell(x, Status.BAD_GATEWAY, name(peer), begun ? what + " The answer had begun." : what);
        if (begun) {
            x.response().cut(Fault.APPLICATION);
        } else {
            x.refuse(Status.BAD_GATEWAY, Fields.EMPTY, what);
        }
    }

    /// Answers a request whose peer did not answer in time.
    ///
    /// @param begun whether the response has begun
    public void late(EngineExchange x, Peer peer, boolean begun) {
        tell(x, Status.GATEWAY_TIMEOUT, name(peer), begun ? LATE + " The answer had begun." : LATE);
        if (begun) {
            x.response().cut(Fault.TIMEOUT);
        } else {
            x.refuse(Status.GATEWAY_TIMEOUT, Fields.EMPTY, LATE);
        }
    }

    private void tell(EngineExchange x, Status status, String upstream, String cause) {
        RequestHead head = x.request();
        Target target = head.target();
        String path =
                new String(
                        target.buffer(),
                        target.originFrom(),
                        target.originTo() - target.originFrom(),
                        StandardCharsets.ISO_8859_1);
        String line =
                status.code()
                        + " for "
                        + FailureLog.escaped(head.methodText())
                        + " "
                        + FailureLog.escaped(path)
                        + " from "
                        + upstream
                        + ": "
                        + cause;
        if (log.add(line, x.nowNanos())) {
            x.maintenance(this::tellLeftOut, x.nowNanos() + TimeUnit.SECONDS.toNanos(1));
        }
    }

    private long tellLeftOut(long nowNanos) {
        log.tellLeftOut();
        return Maintenance.NEVER;
    }

    private String name(@Nullable Peer peer) {
        return peer == null ? upstreams() : peer.upstream().name();
    }

    private String upstreams() {
        return pool.upstreams().stream().map(Upstream::name).collect(Collectors.joining(", "));
    }

    private static String cause(Refusal why) {
        return switch (why) {
            case QUEUE_FULL -> "All connections are in use, and the queue is full.";
            case QUEUE_TIMEOUT -> "No connection became free in time.";
            case NO_PEER -> "The application has no connection.";
            case DRAINED -> "The server stops, or the mount was removed.";
            case UNREACHABLE -> "It could not be connected to.";
        };
    }
}
