package dev.serval.blocking;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.handler.Route;
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

/// One request and its response for code that may block: content is read and written by streams that
/// wait. Valid until the [BlockingHandler] returns.
///
/// Order of calls for the response: [#inform]*, [#head] (as often as you like, until it is
/// [#committed]), [#output], [#end]; all are optional. Content gathers in a buffer of 8 KiB. What
/// fits there and is not flushed leaves in one piece, with its Content-Length, when the response
/// ends; no call waits then. What does not is handed on piece by piece, and each call waits until the
/// client has made room.
///
/// The streams may be used by two threads at a time, one each. Two threads that use one stream at
/// once may get an IOException, or mix their content; the response stays well framed. After the end
/// (the response ended, or the handler returned) every call of a stream but `close` throws, whatever
/// thread makes it. A call that has to wait throws
/// [ExchangeAbortedException] once the exchange was aborted (the client went, or is too slow, or a
/// deadline passed), and [InterruptedIOException] where the thread is interrupted before or while it
/// waits; its interrupt status stays set, and the stream is dead. Calls that need not wait do not
/// look at the interrupt status.
///
/// Nothing here touches the connection: that is done by the loop, which is asked, and which never
/// takes a lock. What belongs to the loop is said to.
public final class BlockingExchange {
    /// What only some exchanges have, so that the others are small.
    private static final class Extras {
        @Nullable Handler next; // the thread's, then the loop's
        @Nullable Runnable nextDropped;
        volatile @Nullable Runnable onAbort;
    }

    private final EngineExchange x;
    private final Executor loop;
    private final @Nullable ContentInput input; // null where the request has no content
    private final ContentOutput output;
    private volatile @Nullable Fault fault; // written by the loop
    private @Nullable InterruptedIOException interruption; // of a stream, thrown to the thread
    private @Nullable Thread own; // runs the handler; other threads never find themselves here
    private boolean interruptedByServer; // the loop's
    private volatile boolean over; // set by the loop: it touches nothing of the exchange any more
    private volatile @Nullable Extras extras; // made by the thread

    /// On the loop.
    BlockingExchange(EngineExchange x) {
        this.x = x;
        this.loop = x.loop();
        this.input = x.request().contentLength() == 0 ? null : new ContentInput(this, x);
        this.output = new ContentOutput(this, x);
    }

    /// The request's head.
    public RequestHead request() {
        return x.request();
    }

    /// The mount that was entered.
    public Route route() {
        return x.route();
    }

    /// The connection it came by.
    public ConnectionFacts connection() {
        return x.connection();
    }

    /// The request's content. What is not read stays with the client. The
    /// first read asks for it where the client waits to be asked (`100 Continue`).
    ///
    /// A read throws [ExchangeAbortedException] where the content will never be complete.
    public InputStream input() {
        @Nullable ContentInput present = input;
        return present == null ? new NoContent(this) : present;
    }

    /// The fields behind chunked content; empty before [#input] has come to its end.
    public Fields trailers() {
        @Nullable ContentInput present = input;
        return present == null ? Fields.EMPTY : present.trailers();
    }

    /// Sends an interim response other than 100 and 101, such as 103; returns when it is on its way.
    ///
    /// @throws IllegalStateException when the response is committed
    public void inform(Status interim, Fields fields) throws IOException {
        if (!interim.interim() || interim.code() < 102) {
            throw new IllegalArgumentException("An interim response is 102 to 199: " + interim);
        }
        output.inform(interim, fields);
    }

    /// Sets the response's head, in place of any set before. With [ResponseHead#UNKNOWN_LENGTH] the
    /// length is added if it is known in time, else the content is framed so that its end shows.
    ///
    /// @throws IllegalStateException when the response is committed
    public void head(ResponseHead head) {
        output.head(head);
    }

    /// As [#head], for a head that is asked for when it is to be sent, once, on the thread whose call
    /// commits the response, or on this exchange's when its handler has returned.
    public void head(Supplier<ResponseHead> head) {
        output.head(head);
    }

    /// The response's content; always the same stream. [OutputStream#flush] commits the response and
    /// hands on what is there; [OutputStream#close] is [#end]. For HEAD the bytes are counted only.
    public OutputStream output() {
        return output;
    }

    /// Makes the buffer that large at least, so that a longer response can wait in it.
    ///
    /// @throws IllegalStateException when content was written
    public void bufferAtLeast(int bytes) {
        output.bufferAtLeast(bytes);
    }

    /// Bytes the buffer holds.
    public int bufferBytes() {
        return output.bufferBytes();
    }

    /// Whether the head is on its way, or the response has ended.
    public boolean committed() {
        return output.committed();
    }

    /// Forgets the head and the content.
    ///
    /// @throws IllegalStateException when the response is committed
    public void reset() {
        output.reset();
    }

    /// Forgets the content.
    ///
    /// @throws IllegalStateException when the response is committed
    public void resetContent() {
        output.resetContent();
    }

    /// Ends the response. Does not wait. Does nothing where it has ended.
    ///
    /// @param trailers sent behind content of unknown length, dropped where the framing has no place
    ///     for them; not to be changed any more
    public void end(Fields trailers) {
        output.end(trailers);
    }

    /// Has `handler` answer on the loop, once the [BlockingHandler] has returned: for a response that
    /// is here as a whole, or that the loop can send by itself, such as a file. Nothing of the
    /// response waits in this exchange's buffer then, and what was written there is forgotten.
    ///
    /// @param dropped carried out instead, on the loop, where nothing comes of it: the exchange was
    ///     aborted meanwhile, or the BlockingHandler threw
    /// @throws IllegalStateException when the response is committed
    public void then(Handler handler, Runnable dropped) {
        output.reset();
        Extras added = extras();
        added.next = handler;
        added.nextDropped = dropped;
    }

    /// Runs `then` when the exchange is aborted, on the loop, so it never blocks; at once where it
    /// was aborted already. One waits at a time.
    public void onAbort(Runnable then) {
        extras().onAbort = then;
        if (fault != null) { // set before the loop looks for what to run
            then.run();
        }
    }

    /// Why the exchange was aborted; null as long as it was not.
    public @Nullable Fault fault() {
        return fault;
    }

    // The thread's

    /// Has the loop carry out `command` and waits until it has answered `question`.
    ///
    /// @throws ExchangeAbortedException once the exchange was aborted
    /// @throws InterruptedIOException where this thread is interrupted; the question is given up
    void ask(LoopCall loopCall, Runnable command) throws IOException {
        check();
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted();
        }
        loopCall.ask();
        // The loop says that it is over, then answers what is asked; we ask, then look.
        if (over) {
            loopCall.answer();
        } else {
            loop.execute(command);
        }
        boolean answered = loopCall.await();
        check();
        if (!answered) {
            throw interrupted();
        }
        if (over) { // by another thread: only such a thread is here after the end
            throw new IOException("The exchange has ended");
        }
    }

    /// Whether the calling thread runs the handler.
    boolean isOwn() {
        return Thread.currentThread().equals(own);
    }

    /// The calling thread is about to run the handler.
    void enter() {
        own = Thread.currentThread();
    }

    /// Whether the response has ended, or the handler returned. Any thread.
    boolean hasEnded() {
        return output.hasEnded();
    }

    private InterruptedIOException interrupted() {
        interruption = new InterruptedIOException("Interrupted while it waited for the client");
        return interruption;
    }

    /// What was thrown last to a thread that was interrupted in waiting; null where none was.
    @Nullable InterruptedIOException interruption() {
        return interruption;
    }

    /// Has the loop carry out `command`, some time.
    void execute(Runnable command) {
        loop.execute(command);
    }

    /// Throws once the exchange was aborted.
    void check() throws ExchangeAbortedException {
        @Nullable Fault why = fault;
        if (why != null) {
            throw new ExchangeAbortedException(why);
        }
    }

    /// Its handler has returned.
    void complete() {
        if (next() == null) {
            output.end(Fields.EMPTY, false);
        }
        expire();
    }

    /// Whether the response was ended.
    boolean answered() {
        return output.answered();
    }

    /// Nothing is read or written any more.
    void expire() {
        output.expire();
        if (input != null) {
            input.expire();
        }
    }

    // The loop's

    /// Before the thread starts.
    void begin() {
        if (input != null) {
            input.begin();
        }
    }

    /// The server interrupts its thread.
    void interruptedByServer() {
        interruptedByServer = true;
    }

    /// Whether the server has interrupted its thread.
    boolean wasInterruptedByServer() {
        return interruptedByServer;
    }

    /// Whether nothing of the exchange may be touched any more.
    boolean isOver() {
        return over;
    }

    /// Sends what the thread left, and takes the buffers back.
    ///
    /// @param threw whether the handler threw, so that nothing else may answer in its place
    void finish(boolean threw) {
        @Nullable Handler handler = next();
        if (handler == null || threw) {
            output.finish();
            forget();
        } else {
            settle();
            handler.handle(x);
        }
    }

    private Extras extras() {
        @Nullable Extras present = extras;
        if (present == null) {
            present = new Extras();
            extras = present;
        }
        return present;
    }

    private @Nullable Handler next() {
        @Nullable Extras present = extras;
        return present == null ? null : present.next;
    }

    /// Whether another Handler answers.
    boolean handsOn() {
        return next() != null;
    }

    /// Nothing comes of what the thread left: gives it back, and takes the buffers back.
    void forget() {
        @Nullable Extras some = extras;
        @Nullable Runnable dropped = some == null ? null : some.nextDropped;
        settle();
        if (dropped != null) {
            dropped.run();
        }
    }

    /// The response has ended, so the exchange has.
    void ended() {
        over = true;
        output.lost();
        if (input != null) {
            input.lost();
        }
    }

    /// The exchange ended before its response did: whoever waits is told.
    void aborted() {
        @Nullable Fault why = x.fault();
        fault = why == null ? Fault.PEER_GONE : why;
        over = true; // last: who sees it looks for the fault
        output.lost();
        if (input != null) {
            input.lost();
        }
        @Nullable Extras some = extras;
        @Nullable Runnable then = some == null ? null : some.onAbort;
        if (then != null) {
            then.run();
        }
    }

    /// The thread uses nothing any more: buffers go back.
    void settle() {
        over = true;
        output.settle();
        if (input != null) {
            input.settle();
        }
    }
}
