package dev.serval.handler;

/// Answers exchanges. One Handler serves all loops at once, so it keeps no state of a request.
@FunctionalInterface
public interface Handler {
    /// Called on the loop, so it never blocks: it answers, passes on, or asks for a place. What it
    /// throws is logged with its trace and answered 500.
    void handle(Exchange x);

    /// Whether this Handler is called for methods that [dev.serval.http.Method] does not name
    /// ([dev.serval.http.Method#OTHER]): PROPFIND, for example. A chain goes past Handlers that are
    /// not; past the last one the exchange is answered 501 (RFC 9110 §15.6.2).
    default boolean takesOtherMethods() {
        return false;
    }

    /// `handler`, called for every method.
    static Handler ofEveryMethod(Handler handler) {
        return new EveryMethod(handler);
    }

    /// What a Handler has to see to some time after its exchanges, such as giving back what nobody
    /// asks for any more. Only the engine's own handlers ask for it.
    @FunctionalInterface
    interface Maintenance {
        /// Nothing more to see to until it is asked for again.
        long NEVER = Long.MAX_VALUE;

        /// Runs once, at [ExecutorKind#DISK], at the instant asked for or soon after. What it throws is
        /// logged, and ends it.
        ///
        /// @param nowNanos the present instant, of the monotonic clock, in nanoseconds
        /// @return the instant at which to run again, or [#NEVER]
        long run(long nowNanos);
    }
}
