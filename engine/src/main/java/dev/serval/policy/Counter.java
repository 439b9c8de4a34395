package dev.serval.policy;

import java.util.Locale;

/// The events that a server counts. The name in exports is the constant in lower case.
public enum Counter {
    /// Connections accepted.
    CONNECTIONS_ACCEPTED,
    /// Connections that ended, whatever the reason.
    CONNECTIONS_CLOSED,
    /// Connections refused because the server's limit was reached.
    CONNECTIONS_REFUSED_LIMIT,
    /// Connections refused because the limit of one client address was reached.
    CONNECTIONS_REFUSED_ADDRESS,
    /// Connections closed because their PROXY header was missing, broken or late. A connection that
    /// ended without a byte is not counted.
    PROXY_HEADERS_REFUSED,
    /// Connections reset because their peer may not send a PROXY header.
    PROXY_SENDERS_REFUSED,
    /// Times accepting paused because no descriptor was free.
    ACCEPT_PAUSES,
    /// Times accepting paused because a loop has spent its part of the time on refusals.
    ACCEPT_PAUSES_LOAD,
    /// Requests whose head was read.
    REQUESTS,
    /// Requests refused because too many were in progress.
    REQUESTS_REFUSED_LIMIT,
    /// Requests refused because their executor was full.
    REQUESTS_REFUSED_EXECUTOR,
    /// Requests answered without their executor, because it was full. These are files from the
    /// cache that were due for revalidation.
    REQUESTS_WITHOUT_EXECUTOR,
    /// Requests refused because no thread was left to guard the loop.
    REQUESTS_REFUSED_WORKER,
    /// Requests refused because they would have waited for their Worker for longer than the load mode
    /// allows.
    REQUESTS_REFUSED_LOAD,
    /// Requests refused because their Worker or task has not begun in time.
    REQUESTS_REFUSED_LATE,
    /// Requests refused because their client has sent too many in a time.
    REQUESTS_REFUSED_RATE,
    /// Workers started.
    WORKERS_STARTED,
    /// Workers that have ended.
    WORKERS_ENDED,
    /// Times a loop was preempted because a Worker kept it.
    LOOPS_PREEMPTED,
    /// Times a mapping was sent to the pool because it kept its loop repeatedly.
    MAPPINGS_TO_POOL,
    /// Times a mapping came back from the pool on trial.
    MAPPINGS_TO_LOOP,
    /// Responses of applications and other servers that were compressed.
    RESPONSES_COMPRESSED,
    /// Such responses that were sent as they are, because too many were being compressed.
    COMPRESSIONS_SKIPPED,
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
    /// Messages that violated the protocol.
    PROTOCOL_ERRORS,
    /// Heads that did not arrive in time.
    HEAD_TIMEOUTS,
    /// Keep-alive connections closed because no request came in time.
    IDLE_TIMEOUTS,
    /// Times content arrived below the minimum rate, or stalled.
    SLOW_CONTENT,
    /// Times a client read responses below the minimum rate, or not at all.
    SLOW_READERS,
    /// Connections chosen to end because all connections together held too much memory.
    CONNECTIONS_PREEMPTED,
    /// Exchanges that passed their deadline.
    EXCHANGE_TIMEOUTS,
    /// Exchanges whose peer disconnected before the response ended.
    PEERS_GONE,
    /// Handlers that threw, or sent more or less content than their Content-Length.
    HANDLER_FAULTS,
    /// Errors that the server's threads survived, such as exhausted memory or a stack overflow.
    ERRORS,
    /// Lines of access logs that were dropped, because they came faster than they could be written or
    /// the disk failed.
    ACCESS_LOG_LINES_LOST,
    /// Bytes received.
    BYTES_IN,
    /// Bytes sent.
    BYTES_OUT;

    private final String text = name().toLowerCase(Locale.ROOT);

    /// Returns the name in exports.
    public String text() {
        return text;
    }
}
