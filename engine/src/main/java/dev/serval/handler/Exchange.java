package dev.serval.handler;

import dev.serval.http.Fields;
import dev.serval.http.RequestHead;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// One request and its response, over HTTP/1.1, an HTTP/2 stream, or memory. Owned by the loop of
/// its connection: nothing here may be called from another thread. Valid until the response ended
/// or was aborted; objects reached through it are reused after that.
public interface Exchange {
    /// The request's head.
    RequestHead request();

    /// The connection it came by.
    ConnectionFacts connection();

    /// The request's content.
    Source content();

    /// The response.
    Sink response();

    /// The turn's reading of the monotonic clock, in nanoseconds.
    long nowNanos();

    /// The instant (as [#nowNanos]) past which the exchange is aborted; [Long#MAX_VALUE] for none.
    long deadlineNanos();

    /// The mount that was entered.
    Route route();

    /// Enters a mount: its first Handler is called at once. Called by routers.
    void enter(Route route);

    /// Passes the exchange to the next Handler of the chain; past the last one it is answered 404.
    /// Only while neither content nor response was touched.
    void pass();

    /// Carries out `task` on `executor`, then goes on with the Handler it returns, on the loop. With
    /// no capacity left the exchange is answered 503; where its response has begun, it waits for
    /// room first (`Limits.Paces.executorWaitNanos`). A task of which nothing comes is told
    /// ([Task#dropped]).
    ///
    /// @throws IllegalStateException for a place this server does not have
    void run(ExecutorKind executor, Task task);

    /// As [#run] at [ExecutorKind#WORKER], for application code of which something is learned apart from the
    /// rest of the mount: a servlet, say.
    void run(Mapping mapping, Task task);

    /// As [#run], for a Handler that can answer without: with no capacity left nothing is done but
    /// counting it, and the Handler answers in another way at once.
    ///
    /// @return whether there is capacity; if so, the exchange is the task's as with [#run]
    /// @throws IllegalStateException for a place this server does not have
    boolean offer(ExecutorKind executor, Task task);

    /// Carries out what it is given on the loop, soon, and also after the exchange has ended. Asked
    /// for on the loop; the executor is any thread's.
    Executor loop();

    /// Runs `maintenance` at the instant `atNanos` (as [#nowNanos]) or soon after, whatever becomes of
    /// this exchange; not at all if the server stops before. It keeps no thread busy until then.
    void maintenance(Handler.Maintenance maintenance, long atNanos);

    /// Answers with the error page of `status`.
    ///
    /// @param fields to be sent besides (Allow, Retry-After, Content-Range)
    /// @param what what was wrong and what would be right, shown to the client: plain text, escaped
    ///     by the page
    void refuse(Status status, Fields fields, String what);

    /// Answers 101 (or 2xx to CONNECT) and hands over the connection's bytes.
    Duplex upgrade(ResponseHead head);

    /// Runs `then`, on the loop, at most once, if the exchange ends before its response does: peer
    /// gone, stream reset, deadline, refused for want of room, broken content or Content-Length.
    /// Whoever waits to read is called before it, and reads [Source#FAILED]; whoever waits to write
    /// is not called any more.
    void onAbort(Runnable then);

    /// Why the exchange ended before its response did, as [#onAbort] says; null where it did not.
    /// Known to whoever is told of the end.
    @Nullable Fault fault();

    /// Lends a buffer of some KiB, empty, on the heap; to be given back by [#giveBack], also after
    /// the exchange has ended.
    ByteBuffer lend();

    /// Takes back what [#lend] returned, which nobody may use any more.
    void giveBack(ByteBuffer lent);
}
