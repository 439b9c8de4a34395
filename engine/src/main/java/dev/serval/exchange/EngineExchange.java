package dev.serval.exchange;

import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.Route;
import dev.serval.handler.Task;
import dev.serval.http.Fields;
import dev.serval.http.RequestHead;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;

/// An exchange as the engine's own handlers see it: routers, files, blocking streams. Applications
/// use [Exchange].
public interface EngineExchange extends Exchange {
    /// Returns the engine's view of `x`.
    ///
    /// @throws IllegalArgumentException for an exchange that the engine did not create
    static EngineExchange of(Exchange x) {
        if (x instanceof EngineExchange engine) {
            return engine;
        }
        throw new IllegalArgumentException(
                "This handler serves only exchanges of the engine, not " + x.getClass().getName());
    }

    /// Returns the number of the stream of HTTP/2 that carries the exchange (RFC 9113 §5.1.1); 0 if
    /// its connection has no streams.
    default int stream() {
        return 0;
    }

    /// Returns a piece of content whose buffer the caller uses again after [dev.serval.handler.Sink#write]
    /// returned. HTTP/1.1 copies a piece of up to 32 KiB in that call. HTTP/2 queues it until the client's
    /// windows allow it, so the piece is a copy.
    ///
    /// @param bytes at most 32 KiB
    default Body.Bytes passing(ByteBuffer bytes) {
        if (stream() == 0) {
            return new Body.Bytes(bytes, null);
        }
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(bytes.position(), copy);
        return Body.Bytes.of(copy);
    }

    /// Returns the turn's reading of the monotonic clock, in nanoseconds.
    long nowNanos();

    /// Enters a mount and calls its first Handler at once. For routers.
    void enter(Route route);

    /// Replaces the head of the request, for all handlers that follow. Allowed only before content or
    /// response were started, and while no task runs. The log shows the head that the client sent.
    ///
    /// @param other made of the present head by a [dev.serval.http.HeadCopy]
    void replaceHead(RequestHead other);

    /// Routes the exchange by the target of its present head. It stays in its mount, and the next
    /// handler of the chain continues, if that is the mount of the target. Otherwise it enters the
    /// other one. After 10 times the answer is 500, because the rules of the site turn in a circle.
    void routeAgain();

    /// Adds `fields` to the final response of this exchange, whichever handler sends it. A field
    /// replaces those of its name in the response's own head, except `Vary` and `Set-Cookie`, which
    /// are added. The `Content-Type` of a response with several ranges stays, because it names the
    /// boundary of the parts (RFC 9110 §15.3.7.2). A later call replaces the fields of an earlier
    /// call.
    default void addFields(Fields fields) {
        addFields(fields, fields);
    }

    /// Adds `fields` as [#addFields(Fields)] does, but `toErrors` in their place if the status of
    /// the response is 400 or above.
    void addFields(Fields fields, Fields toErrors);

    /// Runs `task` as [#run] does on [ExecutorKind#WORKER], for application code with its own
    /// handler profile, such as a servlet.
    void run(Mapping mapping, Task task);

    /// Runs `task` as [#run] does, if the executor has capacity and the exchange gets its permit.
    /// Otherwise it only counts the refusal, and the Handler must answer in another way at once.
    ///
    /// @return whether the exchange belongs to the task as with [#run], or has ended already
    /// @throws IllegalStateException for an executor that this server does not have
    boolean offer(ExecutorKind executor, Task task);

    /// Takes the permit to be in progress, if the exchange does not have it yet. A handler that gives the
    /// request to somebody else calls this before: without a permit, the request is refused, and nobody
    /// may have got it then.
    ///
    /// @return whether the exchange has the permit; if not, it was answered with 503 and its handler was
    ///     told so by [Exchange#onAbort], or it has ended already
    default boolean outlastsTurn() {
        return true; // without a limit
    }

    /// Ends the exchange as its deadline does: interrupts its Worker, and answers with 503 or aborts
    /// a response that has begun.
    void timeOut();

    /// Returns an executor that runs its tasks on the loop soon, even after the exchange has ended.
    /// Call this method on the loop. Any thread may use the executor.
    Executor loop();

    /// Runs `callback` as a callback of this exchange, for a command to the loop that belongs to it:
    /// an exception ends the exchange, as one of a handler does. Call it on the loop, and only while
    /// the exchange runs.
    void proceed(Runnable callback);

    /// Reports an exception of what was to answer the exchange, which ends by it as by one of a handler,
    /// unless it has ended before. Call it on the loop.
    void failed(Throwable thrown);

    /// Runs `work` at the instant `atNanos` (as [#nowNanos]) or soon after, even if this exchange
    /// has ended, but not if the server stops before. It occupies no thread until then.
    void maintenance(Handler.Maintenance work, long atNanos);

    /// Keeps the head of the request from being used for another request, because application code
    /// may read it after this exchange. The connection ends after the response.
    void retire();

    /// Declares that this exchange is of no use to a client that has ended its half of the
    /// connection, such as one that waits for another server. If that happens while nothing of the
    /// response was sent, no other request waits in the input and all earlier responses were sent,
    /// then the exchange ends as if the connection was reset
    /// ([dev.serval.handler.Fault#PEER_GONE]). Without this call a client that has ended its half
    /// is still answered (RFC 9112 §9.6).
    void endsWithClient();

    /// Returns the content of the response, for a handler that passes on what it reads.
    DirectContent directContent();

    /// Returns what takes notes for access logs and metrics.
    default ExchangeNotes notes() {
        return ExchangeNotes.NONE;
    }

    /// Returns what lends buffers to this exchange. They may be given back after it has ended.
    Lender lender();
}
