package dev.serval.policy;

import java.util.Locale;

/// What a server counts. The name in exports is the constant in lower case.
public enum Counter {
    /// Connections accepted.
    CONNECTIONS_ACCEPTED,
    /// Connections that ended, whatever the reason.
    CONNECTIONS_CLOSED,
    /// Connections refused: the server's limit was reached.
    CONNECTIONS_REFUSED_LIMIT,
    /// Connections refused: the limit of one client address was reached.
    CONNECTIONS_REFUSED_ADDRESS,
    /// Times accepting paused because no descriptor was free.
    ACCEPT_PAUSES,
    /// Requests whose head was read.
    REQUESTS,
    /// Requests refused: too many in progress.
    REQUESTS_REFUSED_LIMIT,
    /// Requests refused: no room at the place they asked for.
    REQUESTS_REFUSED_EXECUTOR,
    /// Requests answered without the place they asked for, which had no room: files from the cache,
    /// past the age at which they are looked at again.
    REQUESTS_WITHOUT_EXECUTOR,
    /// Requests refused: no thread was left to guard the loop, or the Worker could not start in time.
    REQUESTS_REFUSED_WORKER,
    /// Workers made.
    WORKERS_STARTED,
    /// Workers that have ended.
    WORKERS_ENDED,
    /// Times a loop was taken from a Worker that kept it.
    LOOPS_PREEMPTED,
    /// Times a mapping was sent to the pool, having kept its loop again and again.
    MAPPINGS_TO_POOL,
    /// Times a mapping came back from the pool, on trial.
    MAPPINGS_TO_LOOP,
    /// Responses 1xx.
    RESPONSES_1XX,
    /// Responses 2xx.
    RESPONSES_2XX,
    /// Responses 3xx.
    RESPONSES_3XX,
    /// Responses 4xx.
    RESPONSES_4XX,
    /// Responses 5xx.
    RESPONSES_5XX,
    /// Messages that broke the protocol.
    PROTOCOL_ERRORS,
    /// Heads that did not arrive in time.
    HEAD_TIMEOUTS,
    /// Kept connections closed because no request came.
    IDLE_TIMEOUTS,
    /// Content below the minimum rate.
    SLOW_CONTENT,
    /// Responses taken below the minimum rate, or not at all.
    SLOW_READERS,
    /// Connections that ended because all together held too much memory.
    CONNECTIONS_PREEMPTED,
    /// Exchanges past their deadline.
    EXCHANGE_TIMEOUTS,
    /// Exchanges whose peer went before the response ended.
    PEERS_GONE,
    /// Handlers that threw or broke their own Content-Length.
    HANDLER_FAULTS,
    /// Errors that the server's threads met and survived: memory that ran out, a stack that overflowed.
    ERRORS,
    /// Bytes received.
    BYTES_IN,
    /// Bytes sent.
    BYTES_OUT;

    private final String text = name().toLowerCase(Locale.ROOT);

    /// The name in exports.
    public String text() {
        return text;
    }
}
