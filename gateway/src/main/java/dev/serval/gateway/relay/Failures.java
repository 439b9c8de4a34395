package dev.serval.gateway.relay;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.peer.Peer;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.peer.PoolLimits;
import dev.serval.gateway.peer.Refusal;
import dev.serval.gateway.peer.Upstream;
import dev.serval.gateway.spool.CollectedContent;
import dev.serval.gateway.tls.TlsTrouble;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler.Maintenance;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.Status;
import dev.serval.http.Target;
import dev.serval.policy.Counter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Answers exchanges of one mount, or of one application that has dialled in, that got no answer from
/// their peer, and tells the log why. The client is told what happened, and the log also what the
/// administrator can do: a client does not learn addresses, limits or options. Any thread.
public final class Failures {
    private static final String NO_ROOM =
            "The application has no room for this request at the moment; please try again.";

    private final PeerPool pool;
    private final String who;
    private final FailureLog log;

    /// Creates the failures of a mount.
    ///
    /// @param who the other end for the client, such as `The application`
    public Failures(PeerPool pool, String who) {
        this.pool = pool;
        this.who = who;
        this.log = new FailureLog(new ErrorLog(pool::name)::add);
    }

    /// Answers a request for which the pool found no peer.
    public void refused(EngineExchange x, Refusal why) {
        if (why == Refusal.UNREACHABLE) {
            tell(x, Status.BAD_GATEWAY, upstreams(), cause(why));
            String what = "This server could not connect to the application behind it.";
            x.refuse(Status.BAD_GATEWAY, Fields.EMPTY, what);
        } else {
            refused(x, why, NO_ROOM);
        }
    }

    /// Answers a request for which the pool found no peer by 503.
    ///
    /// @param what for the client
    public void refused(EngineExchange x, Refusal why, String what) {
        if (why.isForWantOfRoom()) {
            x.notes().refused(Counter.REQUESTS_REFUSED_QUEUE);
        }
        unavailable(x, what, cause(why));
    }

    /// Answers a request that the peer has no room for.
    public void overloaded(EngineExchange x) {
        unavailable(
                x,
                NO_ROOM,
                who
                        + " reports that it is overloaded. Give it more processes, or the mount fewer"
                        + " connections.");
    }

    /// Answers a request for which there is no room.
    ///
    /// @param what for the client
    /// @param cause for the log
    public void unavailable(EngineExchange x, String what, String cause) {
        tell(x, Status.SERVICE_UNAVAILABLE, upstreams(), cause);
        x.refuse(Status.SERVICE_UNAVAILABLE, Fields.of(FieldName.RETRY_AFTER, "1"), what);
    }

    /// Answers a request whose content could not be collected.
    ///
    /// @param why not `WHOLE`. The engine answers content above its limit, which is the only one
    public void notCollected(EngineExchange x, CollectedContent.Outcome why) {
        switch (why) {
            case WHOLE, TOO_LARGE ->
                    throw new IllegalArgumentException("Content that was collected has no failure");
            case NO_SPACE ->
                    notCollected(
                            x,
                            "This server has no space to store the content of the request.",
                            "Other requests have used up the space for contents that wait.");
            case NOT_STORED ->
                    notCollected(
                            x,
                            "This server could not store the content of the request.",
                            "Check that the folder for temporary files can be written to.");
        }
    }

    private void notCollected(EngineExchange x, String what, String advice) {
        unavailable(x, what, what + " " + advice);
    }

    /// Answers a request that could not be written to its peer. The exception is in the log.
    public void unsent(EngineExchange x) {
        broken(
                x,
                upstreams(),
                false,
                "This server failed to send the request to the application behind it.",
                "The exception is in the log.");
    }

    /// Answers a request whose peer left. A response that has begun is cut: the client gets what
    /// came, and notices that it is not complete.
    ///
    /// @param begun whether the response has begun
    public void lost(EngineExchange x, Peer peer, boolean begun) {
        broken(
                x,
                peer.upstream().name(),
                begun,
                who + " closed its connection before its answer was complete.",
                advice(peer.upstream()));
    }

    /// Tells the log that an answer could not be stored while its client was slow.
    public void notStored(EngineExchange x, Peer peer) {
        tell(
                x,
                "The answer",
                peer.upstream().name(),
                "This server could not store it for a slow client, so it waits in its upstream. Check"
                        + " that the folder for temporary files can be written to.");
    }

    private static String advice(Upstream upstream) {
        @Nullable TlsTrouble trouble = upstream.trouble();
        return trouble == null ? "Its own log may say why." : trouble.sentence();
    }

    /// Answers a request whose peer broke the rules of its protocol, likewise.
    ///
    /// @param error the rule, or null
    /// @param begun whether the response has begun
    public void malformed(
            EngineExchange x, Peer peer, boolean begun, @Nullable ProtocolError error) {
        String rule = error == null ? "" : ": " + error.what();
        broken(
                x,
                peer.upstream().name(),
                begun,
                who + " sent a malformed answer" + rule + ".",
                "Check that the mount names the protocol that it speaks.");
    }

    /// Answers a request that the peer's server does not serve, likewise.
    ///
    /// @param begun whether the response has begun
    public void declined(EngineExchange x, Peer peer, boolean begun) {
        broken(
                x,
                peer.upstream().name(),
                begun,
                who + " declined the request.",
                "Check that it serves the FastCGI role Responder.");
    }

    /// Answers a request whose peer did not answer in time.
    ///
    /// @param begun whether the response has begun
    public void late(EngineExchange x, Peer peer, boolean begun) {
        String what = who + " did not answer in time.";
        String limit = " The limit is " + seconds(pool.limits().answerNanos());
        String option = dialsIn() ? "." : " (option answer-time).";
        tell(
                x,
                Status.GATEWAY_TIMEOUT,
                peer.upstream().name(),
                what + limit + option + begun(begun));
        if (begun) {
            x.response().cut(Fault.TIMEOUT);
        } else {
            x.refuse(Status.GATEWAY_TIMEOUT, Fields.EMPTY, what);
        }
    }

    /// Answers a request whose answer is not right, likewise.
    ///
    /// @param begun whether the response has begun
    /// @param what for the client
    /// @param advice for the log
    public void broken(EngineExchange x, Peer peer, boolean begun, String what, String advice) {
        broken(x, peer.upstream().name(), begun, what, advice);
    }

    private void broken(
            EngineExchange x, String upstream, boolean begun, String what, String advice) {
        tell(x, Status.BAD_GATEWAY, upstream, what + begun(begun) + " " + advice);
        if (begun) {
            x.response().cut(Fault.APPLICATION);
        } else {
            x.refuse(Status.BAD_GATEWAY, Fields.EMPTY, what);
        }
    }

    private static String begun(boolean begun) {
        return begun ? " The client got a part of it." : "";
    }

    private void tell(EngineExchange x, Status status, String upstream, String cause) {
        tell(x, String.valueOf(status.code()), upstream, cause);
    }

    private void tell(EngineExchange x, String what, String upstream, String cause) {
        RequestHead head = x.request();
        Target target = head.target();
        String path =
                new String(
                        target.buffer(),
                        target.originFrom(),
                        target.originTo() - target.originFrom(),
                        StandardCharsets.ISO_8859_1);
        String line =
                what
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

    private String upstreams() {
        return pool.upstreams().stream().map(Upstream::name).collect(Collectors.joining(", "));
    }

    private String cause(Refusal why) {
        PoolLimits limits = pool.limits();
        return switch (why) {
            case QUEUE_FULL ->
                    dialsIn()
                            ? "All its connections are in use, and "
                                    + limits.queueMax()
                                    + " requests wait already. Let it open more connections."
                            : "All connections are in use ("
                                    + limits.connectionsMax()
                                    + " to each upstream, option connections), and "
                                    + limits.queueMax()
                                    + " requests wait already (option queue).";
            case QUEUE_TIMEOUT ->
                    "No connection became free within "
                            + seconds(limits.queueNanos())
                            + (dialsIn()
                                    ? ". Let it open more connections."
                                    : " (options queue-time and connections).");
            case NO_PEER -> "The application has no connection to this server.";
            case DRAINED -> "This server stops, or the mount was removed.";
            case UNREACHABLE -> unreachable();
            case NO_MEANS ->
                    "This server has no free descriptor or no memory for a connection: raise the limit"
                            + " of open files (LimitNOFILE= of systemd, or ulimit -n), or lower"
                            + " limits.connections.";
        };
    }

    /// Returns whether peers dial in. Their limits have no options.
    private boolean dialsIn() {
        return pool.upstreams().getFirst().addresses().isEmpty();
    }

    /// Returns what TLS has failed for, if it has.
    private String unreachable() {
        String troubles =
                pool.upstreams().stream()
                        .map(Upstream::trouble)
                        .filter(Objects::nonNull)
                        .map(TlsTrouble::sentence)
                        .distinct()
                        .collect(Collectors.joining(" "));
        return troubles.isEmpty()
                ? "This server could not connect to it. Check that it runs and listens at this"
                        + " address."
                : troubles;
    }

    private static String seconds(long nanos) {
        Duration time = Duration.ofNanos(nanos);
        return time.toMillisPart() == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }
}
