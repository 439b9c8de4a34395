package dev.serval.handler;

import java.util.Set;

/// Answers exchanges. One Handler serves all loops at once, so it has no state of a single request.
@FunctionalInterface
public interface Handler {
    /// Handles an exchange: answers it, passes it on, or calls [Exchange#run]. Runs on the loop, so
    /// it must not block. The answer to an exception is 500, and the exception is logged with its
    /// trace.
    void handle(Exchange x);

    /// Returns whether this Handler takes methods that [dev.serval.http.Method] does not name
    /// ([dev.serval.http.Method#OTHER]), such as PROPFIND. A chain skips Handlers that do not;
    /// after the last one the answer is 501 (RFC 9110 §15.6.2).
    default boolean takesOtherMethods() {
        return false;
    }

    /// Returns whether this Handler takes TRACE. Most would take it for GET, so a chain skips them;
    /// then the answer is 405. A Handler that takes it must answer with 405 and the methods that the
    /// target allows, or pass it on. It must not send the request back, which may hold credentials
    /// (RFC 9110 §9.3.8).
    default boolean takesTrace() {
        return false;
    }

    /// Returns the protocols for which this Handler opens tunnels by extended CONNECT (RFC 8441), such as
    /// `websocket`. HTTP/2 connections tell their clients that there are such tunnels only if a Handler
    /// of the server names a protocol. An extended CONNECT for any other protocol gets 501.
    default Set<String> connectProtocols() {
        return Set.of();
    }

    /// Returns `handler` as a Handler that opens tunnels for these protocols: see [#connectProtocols].
    static Handler ofConnect(Handler handler, String... protocols) {
        return new ConnectHandler(handler, Set.of(protocols));
    }

    /// Returns `handler` as a Handler that takes every method but TRACE.
    static Handler ofEveryMethod(Handler handler) {
        return new EveryMethod(handler);
    }

    /// A Handler's work after its exchanges, such as releasing resources that are no longer used.
    /// Only the engine's own Handlers use it.
    @FunctionalInterface
    interface Maintenance {
        /// The instant that means no further run.
        long NEVER = Long.MAX_VALUE;

        /// Runs once on [ExecutorKind#DISK], at the requested instant or soon after. An exception
        /// is logged, and the next run is ten seconds later.
        ///
        /// @param nowNanos the current instant of the monotonic clock, in nanoseconds
        /// @return the instant of the next run, or [#NEVER]
        long run(long nowNanos);
    }
}
