package dev.serval.gateway.peer;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// The limits of a [PeerPool]. Immutable; [#with] returns a changed copy.
///
/// @param connectionsMax open connections to each upstream; for peers that dial in, of one name
/// @param queueMax requests that wait for a peer; at least 1, because a peer of another loop is
///     reached by the queue
/// @param queueNanos the longest wait for a peer, with all attempts to connect
/// @param connectNanos the longest wait for a connection to one upstream
/// @param answerNanos from sending a request until its answer is complete
/// @param idleNanos how long a peer without requests is kept; 0 for ever
/// @param failuresMax failures in a row after which an upstream rests
/// @param restNanos the first rest of an upstream; each further failure doubles it
/// @param restMaxNanos the longest rest
/// @param halfClose whether a request is answered although its client has ended its half of the
///     connection
public record PoolLimits(
        int connectionsMax,
        int queueMax,
        long queueNanos,
        long connectNanos,
        long answerNanos,
        long idleNanos,
        int failuresMax,
        long restNanos,
        long restMaxNanos,
        boolean halfClose) {
    /// The longest time of a pool, 365 days. The sum of a longer one and of the clock could be more
    /// than a long can say.
    public static final long TIME_MAX_NANOS = TimeUnit.DAYS.toNanos(365);

    /// The limits of peers that dial in.
    public static final PoolLimits DIAL_IN = new Draft().dialIn().build();

    /// The limits of upstreams.
    public static final PoolLimits DIAL_OUT = new Draft().build();

    /// Checks the numbers.
    public PoolLimits {
        if (connectionsMax < 1 || queueMax < 1 || failuresMax < 1) {
            throw new IllegalArgumentException(
                    "A pool needs at least 1 connection, 1 allowed failure, and a queue of 1");
        }
        if (queueNanos < 1 || connectNanos < 1 || answerNanos < 1 || idleNanos < 0) {
            throw new IllegalArgumentException("The times of a pool must be positive");
        }
        long longest =
                Math.max(Math.max(queueNanos, connectNanos), Math.max(answerNanos, idleNanos));
        if (Math.max(longest, restMaxNanos) > TIME_MAX_NANOS) {
            throw new IllegalArgumentException("The times of a pool are at most 365 days");
        }
        if (restNanos < 1 || restMaxNanos < restNanos) {
            throw new IllegalArgumentException(
                    "The rest of an upstream must be positive and not above its maximum");
        }
    }

    /// Returns a copy in which `change` has set some limits, such as
    /// `limits.with(draft -> draft.queueMax = 10)`.
    public PoolLimits with(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.connectionsMax = connectionsMax;
        draft.queueMax = queueMax;
        draft.queueNanos = queueNanos;
        draft.connectNanos = connectNanos;
        draft.answerNanos = answerNanos;
        draft.idleNanos = idleNanos;
        draft.failuresMax = failuresMax;
        draft.restNanos = restNanos;
        draft.restMaxNanos = restMaxNanos;
        draft.halfClose = halfClose;
        change.accept(draft);
        return draft.build();
    }

    /// Limits while they are chosen, at first those of upstreams. Each is a field, so that wherever a
    /// number is set, its name stands beside it. Used by one thread, within [#with].
    public static final class Draft {
        public int connectionsMax = 32;
        public int queueMax = 1000;
        public long queueNanos = TimeUnit.SECONDS.toNanos(30);
        public long connectNanos = TimeUnit.SECONDS.toNanos(5);
        public long answerNanos = TimeUnit.SECONDS.toNanos(60);
        public long idleNanos = TimeUnit.SECONDS.toNanos(30);
        public int failuresMax = 3;
        public long restNanos = TimeUnit.SECONDS.toNanos(1);
        public long restMaxNanos = TimeUnit.SECONDS.toNanos(60);
        public boolean halfClose;

        private Draft() {}

        private Draft dialIn() {
            connectionsMax = 1000;
            idleNanos = 0;
            return this;
        }

        private PoolLimits build() {
            return new PoolLimits(
                    connectionsMax,
                    queueMax,
                    queueNanos,
                    connectNanos,
                    answerNanos,
                    idleNanos,
                    failuresMax,
                    restNanos,
                    restMaxNanos,
                    halfClose);
        }
    }
}
