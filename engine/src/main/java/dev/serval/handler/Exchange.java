package dev.serval.handler;

import dev.serval.http.Fields;
import dev.serval.http.RequestHead;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import org.jspecify.annotations.Nullable;

/// One request and its response, over HTTP/1.1, an HTTP/2 stream, or memory. Owned by the loop of
/// its connection: no other thread may call anything here. Valid until the response ended or was
/// aborted; objects reached through it are reused after that.
public interface Exchange {
    /// The request's head.
    RequestHead request();

    /// The connection it came by.
    ConnectionFacts connection();

    /// The mount that was entered.
    Route route();

    /// The request's content.
    Source content();

    /// The response.
    Sink response();

    /// The instant past which the exchange is aborted, in nanoseconds of the monotonic clock;
    /// [Long#MAX_VALUE] for none.
    long deadlineNanos();

    /// Passes the exchange to the next Handler of the chain that takes its method
    /// ([Handler#takesOtherMethods]). Past the last one it is answered 404, or 501 if the method is
    /// [dev.serval.http.Method#OTHER]. Only while neither content nor response was started.
    void pass();

    /// Carries out `task` on `executor`, then continues with the Handler it returns, on the loop. If
    /// the executor has no capacity left, the exchange is answered 503; a response that has begun
    /// waits for capacity first (`Limits.Paces.executorWaitNanos`). A task that will not be carried
    /// out, or whose Handler will not be called, is told ([Task#dropped]).
    ///
    /// @throws IllegalStateException for an executor that this server does not have
    void run(ExecutorKind executor, Task task);

    /// Answers with the error page of `status`.
    ///
    /// @param fields to be sent besides (Allow, Retry-After, Content-Range)
    /// @param what what was wrong and what would be right, shown to the client: plain text, escaped
    ///     by the page
    void refuse(Status status, Fields fields, String what);

    /// Answers 101 (or 2xx to CONNECT) and hands over the connection's bytes.
    Duplex upgrade(ResponseHead head);

    /// Runs `then`, on the loop, at most once, if the exchange ends before its response does: peer
    /// gone, stream reset, deadline, refused for lack of capacity, broken content or Content-Length.
    /// A callback that waits to read is called before it, and reads [Source#FAILED]; one that waits to
    /// write is not called any more.
    void onAbort(Runnable then);

    /// Why the exchange ended before its response did, as [#onAbort] says; null if it did not. Set
    /// before any callback is told of the end.
    @Nullable Fault fault();
}
