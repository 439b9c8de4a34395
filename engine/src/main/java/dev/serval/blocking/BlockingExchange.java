package dev.serval.blocking;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.Route;
import dev.serval.handler.TunnelRequest;
import dev.serval.http.Fields;
import dev.serval.http.RequestHead;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One request and its response, for code that may block. It reads and writes content by streams
/// that wait. Valid until the [BlockingHandler] returns.
///
/// The calls for the response have this order, and all are optional:
///
/// - [#inform], any number of times
/// - [#head], any number of times until the response is [#committed]
/// - [#output]
/// - [#end]
///
/// Content collects in a buffer of 8 KiB. Content that fits there and is not flushed is sent in one
/// piece, with its Content-Length, when the response ends. No call waits then. Longer content is
/// sent piece by piece. A call waits for room if more than 32 KiB would be on their way.
///
/// Two threads may use the streams at a time, one each. Two threads that use one stream at once may
/// get an IOException, or mix their content, but the response stays well framed. After the response
/// ended or the handler returned, every call of a stream except `close` throws, on any thread.
///
/// A call that has to wait may throw one of these. Calls that need not wait ignore the interrupt
/// status.
///
/// - [ExchangeAbortedException] after the exchange was aborted: the client disconnected or is too
///   slow, or a deadline passed
/// - [InterruptedIOException] if the thread is interrupted before or while it waits; the interrupt
///   status stays set, and the stream cannot be used any more
///
/// This class never touches the connection. It posts commands to the loop, which never takes a
/// lock. The methods that belong to the loop are marked.
public final class BlockingExchange {
    /// The fields that only some exchanges need, kept apart so that the other exchanges stay small.
    private static final class Extras {
        static final Extras NONE = new Extras(); // of all other exchanges; never changed

        @Nullable Handler next; // set by the thread, then used by the loop
        Runnable nextDropped = BlockingExchange::nothing;
        volatile boolean detaches; // the exchange has left its thread at least once
    }

    private final EngineExchange x;
    private final Executor loop;
    private final IncomingContent input;
    private final ContentOutput output;
    private volatile @Nullable Fault fault; // written by the loop
    private @Nullable InterruptedIOException interruption; // the last that a stream threw
    private volatile @Nullable Thread own; // runs the handler
    private @Nullable BlockingTask task; // of that thread
    private short tasks; // that are not back; used by the loop
    private boolean interruptedByServer; // used by the loop
    private volatile boolean over; // set by the loop: nothing may be touched
    private volatile Extras extras = Extras.NONE; // others are created by the thread
    private volatile Runnable onAbort = BlockingExchange::nothing;

    /// Creates the exchange, on the loop.
    BlockingExchange(EngineExchange x) {
        this.x = x;
        this.loop = x.loop();
        this.input =
                x.request().contentLength() == 0 ? NoContent.INSTANCE : new ContentInput(this, x);
        this.output = new ContentOutput(this, x);
    }

    /// Returns the head of the request.
    public RequestHead request() {
        return x.request();
    }

    /// Returns the mount that the exchange entered.
    public Route route() {
        return x.route();
    }

    /// Returns the facts of the connection that carries the request.
    public ConnectionFacts connection() {
        return x.connection();
    }

    /// Returns the number of the stream of HTTP/2 that carries the request; 0 if its connection has no
    /// streams.
    public int stream() {
        return x.stream();
    }

    /// Returns whether and how the client asks for a tunnel.
    public TunnelRequest tunnel() {
        return x.tunnel();
    }

    /// Returns the content of the request. Unread content stays with the client. The first read
    /// sends `100 Continue` if the client waits for it.
    ///
    /// A read throws [ExchangeAbortedException] if the content will never be complete.
    public InputStream input() {
        return input.stream(this);
    }

    /// Returns the trailers of chunked content; empty until [#input] has reached its end.
    public Fields trailers() {
        return input.trailers();
    }

    /// Sends an interim response other than 100 and 101, such as 103. Returns after the loop has
    /// accepted it.
    ///
    /// @throws IllegalStateException if the response is committed
    public void inform(Status interim, Fields fields) throws IOException {
        if (!interim.interim() || interim.code() < 102) {
            throw new IllegalArgumentException("An interim response is 102 to 199: " + interim);
        }
        output.inform(interim, fields);
    }

    /// Sets the head of the response, in place of any set before. With
    /// [ResponseHead#UNKNOWN_LENGTH], the length is added if it is known in time. Otherwise the
    /// framing marks the end of the content.
    ///
    /// @throws IllegalStateException if the response is committed
    public void head(ResponseHead head) {
        output.head(head);
    }

    /// Sets a supplier of the head, which is called once, when the head is sent. It runs on the
    /// thread whose call commits the response, or on this exchange's thread after its handler
    /// returned.
    public void head(Supplier<ResponseHead> head) {
        output.head(head);
    }

    /// Returns the content of the response; always the same stream. [OutputStream#flush] commits
    /// the response and sends the buffered content. [OutputStream#close] is [#end]. For HEAD the
    /// bytes are only counted.
    public OutputStream output() {
        return output;
    }

    /// Enlarges the buffer to at least `bytes`, so that a longer response fits in it.
    ///
    /// @throws IllegalStateException if content was written
    public void bufferAtLeast(int bytes) {
        output.bufferAtLeast(bytes);
    }

    /// Returns the capacity of the buffer in bytes.
    public int bufferBytes() {
        return output.bufferBytes();
    }

    /// Returns whether the head was sent or the response has ended.
    public boolean committed() {
        return output.committed();
    }

    /// Discards the head and the content.
    ///
    /// @throws IllegalStateException if the response is committed
    public void reset() {
        output.reset();
    }

    /// Discards the content.
    ///
    /// @throws IllegalStateException if the response is committed
    public void resetContent() {
        output.resetContent();
    }

    /// Ends the response, without waiting. Does nothing if it has ended.
    ///
    /// @param trailers sent after content of unknown length, dropped if the framing has no place
    ///     for them; the caller must not change them any more
    public void end(Fields trailers) {
        output.end(trailers);
    }

    /// Ends the response as [#end] does, but sends its last part only when the handler has returned,
    /// which spares the loop a command. For the handler's thread, shortly before it returns.
    public void endOnReturn(Fields trailers) {
        output.end(trailers, false);
    }

    /// Sets the `handler` that answers on the loop, after the [BlockingHandler] returned. This is
    /// for a response that is complete, or that the loop can send by itself, such as a file.
    /// Content that was written to the buffer is discarded.
    ///
    /// @param dropped runs instead, on the loop, if the exchange was aborted meanwhile or the
    ///     BlockingHandler threw
    /// @throws IllegalStateException if the response is committed
    public void then(Handler handler, Runnable dropped) {
        output.resetContent();
        Extras added = extras();
        added.next = handler;
        added.nextDropped = dropped;
    }

    /// Takes [#then] back, so that the head set before and what is written from now on are the
    /// response. For the handler's thread.
    public void answerHere() {
        if (handsOn()) {
            extras.next = null;
            extras.nextDropped = BlockingExchange::nothing;
        }
    }

    /// Sets the callback for an abort of the exchange. It runs on the loop, so it must never block.
    /// If the exchange was already aborted, this call runs it. A later call replaces the callback.
    public void onAbort(Runnable then) {
        onAbort = then;
        if (fault != null) { // the loop sets fault before it reads onAbort
            then.run();
        }
    }

    /// Returns why the exchange was aborted; null if it was not.
    public @Nullable Fault fault() {
        return fault;
    }

    /// Keeps the response open after the handler returned, until [#resume]. For the handler's
    /// thread, as its last call of this exchange. Nobody may end the response meanwhile: the
    /// exchange would be over, and the head would be that of the next request.
    public void detach() {
        extras().detaches = true;
        own = null;
        present().detached(true);
    }

    /// Takes [#detach] back, on the thread that called it, before the handler returned.
    public void attach() {
        own = Thread.currentThread();
        present().detached(false);
    }

    /// Continues an exchange that was detached: runs `next` on a Worker. Does nothing if the
    /// exchange has been aborted; only the callback of [#onAbort] reports that. Call it once for
    /// each [#detach]; any thread may do so.
    ///
    /// @param mapping collects what the engine learns about the code
    public void resume(Mapping mapping, BlockingHandler next) {
        execute(() -> {
            if (!over) {
                x.run(mapping, new BlockingTask(this, next));
            }
        });
    }

    /// Tells access logs who sends the request. Any thread, before the response ends.
    public void user(String name) {
        loop.execute(() -> {
            if (!over) {
                x.notes().user(name);
            }
        });
    }

    /// Ends the exchange, because its application takes too long: interrupts the handler's thread,
    /// and answers with 503, or ends the connection if the response is committed. Does nothing if
    /// the response has ended. Any thread.
    public void timeOut() {
        loop.execute(() -> {
            if (!over) {
                x.timeOut();
            }
        });
    }

    /// Returns whether a read of [#input] would not wait. It may also return true if that read
    /// fails.
    public boolean readsWithoutWaiting() throws IOException {
        return input.isReady();
    }

    /// Returns whether all content was read, as far as is known without waiting.
    public boolean contentEnded() throws IOException {
        return input.hasEnded();
    }

    /// Runs `then` on the loop when a read would not wait. Until then no thread may read. If the
    /// exchange is aborted first, only the callback of [#onAbort] runs.
    public void onReadable(Runnable then) throws IOException {
        input.whenReady(this, then);
    }

    /// Makes writes of [#output] return without waiting, whatever the client's pace. From now on
    /// the caller must not write while [#writesWithoutWaiting] is false.
    public void withoutWaiting() {
        output.withoutWaiting();
    }

    /// Returns whether little enough is unsent that the caller may write more.
    public boolean writesWithoutWaiting() {
        return output.isReady();
    }

    /// Runs `then` on the loop when the caller may write more. If the exchange is aborted first,
    /// only the callback of [#onAbort] runs.
    public void onWritable(Runnable then) {
        output.whenReady(then);
    }

    // For the thread

    private BlockingTask present() {
        if (task == null) {
            throw new IllegalStateException("The handler has not begun");
        }
        return task;
    }

    /// Posts `command` to the loop and waits until the loop has answered `loopCall`.
    ///
    /// @throws ExchangeAbortedException if the exchange was aborted
    /// @throws InterruptedIOException if this thread is interrupted; the loop call is given up
    void ask(LoopCall loopCall, Runnable command) throws IOException {
        check();
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted();
        }
        loopCall.ask();
        // The loop sets `over` and then answers open calls. This thread opens a call and then reads
        // `over`. So one of the two always answers.
        if (over) {
            loopCall.answer();
        } else {
            execute(command);
        }
        boolean answered = loopCall.await();
        check();
        if (!answered) {
            throw interrupted();
        }
        if (over) { // only a thread other than the handler's gets here
            throw new IOException("The exchange has ended");
        }
    }

    /// Returns whether the calling thread runs the handler.
    boolean isOwn() {
        return Thread.currentThread().equals(own);
    }

    /// Records that the calling thread runs the handler of `entered`.
    void enter(BlockingTask entered) {
        task = entered;
        own = Thread.currentThread();
        output.begin();
    }

    /// Returns whether the response has ended or the handler returned. Any thread.
    boolean hasEnded() {
        return output.hasEnded();
    }

    private InterruptedIOException interrupted() {
        interruption = new InterruptedIOException("Interrupted while it waited for the client");
        return interruption;
    }

    /// Returns the last exception for an interrupt while a stream waited; null if there was none.
    @Nullable InterruptedIOException interruption() {
        return interruption;
    }

    /// Posts `command` to the loop, without waiting. If it throws while the exchange runs, the
    /// exchange ends, since a part of the response may be missing.
    void execute(Runnable command) {
        loop.execute(() -> {
            if (over) {
                command.run();
            } else {
                x.proceed(command);
            }
        });
    }

    /// Posts `command` to the loop, also if the exchange has ended by then.
    void post(Runnable command) {
        loop.execute(command);
    }

    /// Throws if the exchange was aborted.
    void check() throws ExchangeAbortedException {
        if (fault != null) {
            throw new ExchangeAbortedException(fault);
        }
    }

    /// Ends the response after the handler returned.
    void complete() {
        if (!handsOn()) {
            output.end(Fields.EMPTY, false);
        }
        expire();
    }

    /// Returns whether the response has ended and is complete.
    boolean answered() {
        return output.answered();
    }

    /// Ends both streams: no thread can read or write any more.
    void expire() {
        output.expire();
        input.expire();
    }

    // For the loop

    /// Reads the content that has arrived, before the thread starts.
    void begin() {
        input.begin();
    }

    /// Counts a task that may use the streams.
    void taskCreated() {
        tasks++;
    }

    /// Records that a task came back, so that its thread no longer uses the streams.
    void taskEnded() {
        tasks--;
    }

    /// Returns whether a thread may still use the streams.
    boolean isInUse() {
        return tasks > 0;
    }

    /// Records that the server interrupts the exchange's thread.
    void interruptedByServer() {
        interruptedByServer = true;
    }

    /// Returns whether the server has interrupted the exchange's thread.
    boolean wasInterruptedByServer() {
        return interruptedByServer;
    }

    /// Returns whether the loop must not touch the exchange any more.
    boolean isOver() {
        return over;
    }

    /// Sends what the thread left, and takes the buffers back.
    ///
    /// @param threw whether the handler threw, so that the handler of [#then] must not answer
    void finish(boolean threw) {
        @Nullable Handler next = extras.next;
        if (threw || next == null) {
            output.finish();
            forget();
        } else {
            settle();
            next.handle(x);
        }
    }

    /// What runs in place of a callback that was not set.
    private static void nothing() {}

    private Extras extras() {
        if (extras == Extras.NONE) {
            extras = new Extras();
        }
        return extras;
    }

    /// Returns whether another Handler answers.
    boolean handsOn() {
        return extras.next != null;
    }

    /// Drops the handler of [#then], and takes the buffers back.
    void forget() {
        settle();
        extras.nextDropped.run();
    }

    /// Ends the exchange, because its response has ended.
    void ended() {
        over = true;
        output.lost();
        input.lost();
    }

    /// Notes why the exchange fails, if that is known, before a thread learns that it does.
    void noteFault() {
        @Nullable Fault why = x.fault();
        if (why != null) {
            fault = why;
        }
    }

    /// Ends the exchange before its response ended, and wakes the threads that wait.
    void aborted() {
        @Nullable Fault why = x.fault();
        fault = why == null ? Fault.PEER_GONE : why;
        over = true; // set last: a thread that reads it then reads fault
        output.lost();
        input.lost();
        Runnable then = onAbort;
        if (tasks == 0) { // detached: no task comes back and takes the buffers
            settle();
        }
        then.run();
        if (extras.detaches) { // code that `then` has started may read the request
            x.retire();
        }
    }

    /// Takes the buffers back. The thread does not use them any more.
    void settle() {
        over = true;
        output.settle();
        input.settle();
    }
}
