package dev.serval.handler;

import dev.serval.http.Fields;
import dev.serval.http.RequestHead;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import org.jspecify.annotations.Nullable;

/// One request and its response, over HTTP/1.1, an HTTP/2 stream, or memory. The loop of its
/// connection owns it, so no other thread may call its methods. Valid until the response has ended
/// or was aborted; after that, the objects it returned are reused.
public interface Exchange {
    /// Returns the request's head.
    RequestHead request();

    /// Returns the connection that received the request.
    ConnectionFacts connection();

    /// Returns the mount that the exchange entered.
    Route route();

    /// Returns the request's content.
    Source content();

    /// Returns the response.
    Sink response();

    /// Returns the instant at which the exchange is aborted, in nanoseconds of the monotonic clock;
    /// [Long#MAX_VALUE] if there is none.
    long deadlineNanos();

    /// Passes the exchange to the next Handler of the chain that takes its method
    /// ([Handler#takesOtherMethods]). After the last one the answer is 404, or 501 if the method is
    /// [dev.serval.http.Method#OTHER]. Allowed only before content or response were started.
    void pass();

    /// Runs `task` on `executor`, then continues with the returned Handler on the loop. Calls
    /// [Task#dropped] if the task will not run or its Handler will not be called.
    ///
    /// If the executor has no capacity left, the answer is 503. A response that has begun first
    /// waits for capacity (`Limits.Paces.executorWaitNanos`).
    ///
    /// @throws IllegalStateException for an executor that this server does not have
    void run(ExecutorKind executor, Task task);

    /// Answers with the error page of `status`.
    ///
    /// @param fields fields to send with the page (Allow, Retry-After, Content-Range)
    /// @param what the fault and its remedy, shown to the client: plain text, which the page
    ///     escapes
    void refuse(Status status, Fields fields, String what);

    /// Returns whether and how the client asks for a tunnel. Any thread may call this method.
    default TunnelRequest tunnel() {
        return TunnelRequest.NONE;
    }

    /// Answers 101, or 2xx to CONNECT, and returns the bytes of the connection or stream as a
    /// [Duplex]. [#tunnel] says which of the two the client expects.
    Duplex upgrade(ResponseHead head);

    /// Runs `then`, on the loop, at most once, if the exchange ends before its response. Causes
    /// are:
    ///
    /// - the peer closed the connection or reset the stream;
    /// - the deadline passed;
    /// - the exchange was refused for lack of capacity;
    /// - the content or the Content-Length is broken.
    ///
    /// A callback that waits to read runs before `then`, and reads [Source#FAILED]. A callback that
    /// waits to write never runs.
    void onAbort(Runnable then);

    /// Returns why the exchange ended before its response (see [#onAbort]), or null if it did not.
    /// The value is set before any callback runs.
    @Nullable Fault fault();
}
