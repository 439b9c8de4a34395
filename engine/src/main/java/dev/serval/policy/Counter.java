package dev.serval.policy;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The events that a server counts. The name in exports is the constant in lower case. Those that count
/// refusals also have the reason in words for people.
public enum Counter {
    /// Connections accepted.
    CONNECTIONS_ACCEPTED,
    /// Connections that ended, whatever the reason.
    CONNECTIONS_CLOSED,
    /// Connections refused because the server's limit was reached.
    CONNECTIONS_REFUSED_LIMIT("too many connections"),
    /// Connections refused because the limit of one client address was reached.
    CONNECTIONS_REFUSED_ADDRESS("too many connections of one address"),
    /// Connections closed because their PROXY header was missing, broken or late. A connection that
    /// ended without a byte is not counted.
    PROXY_HEADERS_REFUSED("PROXY header missing, malformed or late"),
    /// Connections reset because their peer may not send a PROXY header.
    PROXY_SENDERS_REFUSED("PROXY header from an address that may not send one"),
    /// TLS handshakes that were completed.
    TLS_HANDSHAKES,
    /// TLS handshakes that one side has refused, or whose client has left.
    TLS_HANDSHAKES_FAILED,
    /// Connections closed because their TLS handshake was not complete in time.
    TLS_HANDSHAKES_LATE,
    /// Connections closed because too much work of TLS handshakes waited for a thread.
    TLS_HANDSHAKES_REFUSED("too many TLS handshakes in progress"),
    /// Connections closed because their peer sent too many TLS records without content.
    CONNECTIONS_REFUSED_RECORDS("a flood of TLS records without content"),
    /// Connections whose client sent plain HTTP to a port for TLS, and got 400.
    PLAIN_HTTP_TO_TLS,
    /// Times accepting paused because no descriptor was free.
    ACCEPT_PAUSES,
    /// Times accepting paused because a loop has spent its part of the time on refusals.
    ACCEPT_PAUSES_LOAD,
    /// Requests whose head was read.
    REQUESTS,
    /// Requests refused because too many were in progress.
    REQUESTS_REFUSED_LIMIT("too many requests in progress"),
    /// Requests refused because their executor was full.
    REQUESTS_REFUSED_EXECUTOR("no thread free for the request"),
    /// Requests answered without their executor, because it was full. These are files from the
    /// cache that were due for revalidation.
    REQUESTS_WITHOUT_EXECUTOR,
    /// Requests refused because no thread was left to guard the loop.
    REQUESTS_REFUSED_WORKER("no thread left to guard the event loops"),
    /// Requests refused because they would have waited for their Worker for longer than the load mode
    /// allows.
    REQUESTS_REFUSED_LOAD("load too high, the wait would be too long"),
    /// Requests refused because their Worker or task has not begun in time.
    REQUESTS_REFUSED_LATE("waited too long for a thread"),
    /// Requests refused because their client has sent too many in a time.
    REQUESTS_REFUSED_RATE("too many requests of one client in a short time"),
    /// Requests refused because too many waited for a connection to an application in another process,
    /// or because they had waited for it for too long.
    REQUESTS_REFUSED_QUEUE("no connection free to an application or upstream"),
    /// Streams of HTTP/2 connections refused, because their connection had too many in progress.
    STREAMS_REFUSED("too many requests at a time on one HTTP/2 connection"),
    /// HTTP/2 connections ended because their client flooded them with frames, resets or fields.
    CONNECTIONS_REFUSED_FLOOD("a flood of HTTP/2 frames, resets or fields"),
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
    /// HTTP/2 connections closed because the client did not answer a PING.
    PING_TIMEOUTS,
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

    private static final Map<String, String> WORDS = new HashMap<>();

    static {
        for (Counter counter : values()) {
            if (counter.refusal != null) {
                WORDS.put(counter.text, counter.refusal);
            }
        }
    }

    private final String text = name().toLowerCase(Locale.ROOT);
    private final @Nullable String refusal;

    Counter() {
        this.refusal = null;
    }

    Counter(String refusal) {
        this.refusal = refusal;
    }

    /// Returns the name in exports.
    public String text() {
        return text;
    }

    /// Returns whether it counts refusals.
    public boolean isRefusal() {
        return refusal != null;
    }

    /// Returns a reason of [LabelledCounter#REFUSALS] in words for people. The reason of a protocol
    /// violation is in such words already.
    public static String words(String reason) {
        return WORDS.getOrDefault(reason, reason);
    }
}
