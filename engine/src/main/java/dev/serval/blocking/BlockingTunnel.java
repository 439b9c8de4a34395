package dev.serval.blocking;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Body;
import dev.serval.handler.Duplex;
import dev.serval.handler.Exchange;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.Source;
import dev.serval.handler.Task;
import dev.serval.http.ResponseHead;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// The bytes of a connection after an upgrade, in both directions, for code that may block. Any
/// thread may use the streams; one thread reads and one thread writes at a time.
///
/// ```
///   OPEN ── both directions ended, close, abort, connection lost ──▶ OVER
/// ```
///
/// A call that has to wait throws [ExchangeAbortedException] after the connection was lost, and
/// [InterruptedIOException] if its thread is interrupted, after which the stream cannot be used any
/// more. A tunnel has no deadline; it counts as an exchange for the server's limits. The connection of a
/// client that has vanished is lost within two minutes.
///
/// This class never touches the connection on a thread. It posts commands to the loop, which never
/// takes a lock. The methods that belong to the loop are marked.
public final class BlockingTunnel {
    private final EngineExchange x;
    private final Executor loop;
    private final Duplex duplex;
    private final TunnelInput input = new TunnelInput(this);
    private final TunnelOutput output = new TunnelOutput(this);
    private final Runnable onEnd;
    private volatile @Nullable Fault fault; // written by the loop
    private volatile boolean over; // written by the loop: the connection must not be touched
    private boolean inputEnded; // used by the loop
    private boolean outputEnded; // used by the loop

    private BlockingTunnel(EngineExchange x, ResponseHead head, Runnable onEnd) {
        this.x = x;
        this.loop = x.loop();
        this.onEnd = onEnd;
        this.duplex = x.upgrade(head);
    }

    /// Answers with `head` and opens the tunnel. For the loop. Bytes that followed the request are
    /// read first.
    ///
    /// @param head 101, or 2xx to CONNECT
    /// @param onEnd runs on the loop, once, after the tunnel is over; it must not block
    /// @throws IllegalStateException if the request's content was not read to its end
    public static BlockingTunnel open(Exchange x, ResponseHead head, Runnable onEnd) {
        BlockingTunnel tunnel = new BlockingTunnel(EngineExchange.of(x), head, onEnd);
        x.onAbort(tunnel::lost);
        if (x.fault() != null) { // there was no permit, and the abort came before
            tunnel.lost();
        }
        return tunnel;
    }

    /// Returns the bytes that the client sends. Its `close` ends this direction; what is unread stays
    /// with the client.
    public InputStream input() {
        return input;
    }

    /// Returns the bytes to the client, which collect in a buffer of 8 KiB. Its `close` ends this
    /// direction after all bytes written so far.
    public OutputStream output() {
        return output;
    }

    /// Returns whether nothing more can be read or written.
    public boolean isOver() {
        return over;
    }

    /// Returns why the connection was lost; null if it was not, or was closed by this side.
    public @Nullable Fault fault() {
        return fault;
    }

    /// Sends what was written, then closes both directions. Waits for no client.
    public void close() {
        output.finish();
        loop.execute(() -> end(Fault.SHUTDOWN));
    }

    /// Closes both directions at once. Bytes that were not sent are lost.
    public void abort() {
        loop.execute(() -> {
            if (!over) {
                fault = Fault.APPLICATION;
                end(Fault.APPLICATION);
            }
        });
    }

    /// Runs `code` on a Worker, or `dropped` on the loop if the tunnel is over or there is no Worker.
    /// An exception of the code closes the tunnel.
    ///
    /// @param mapping collects what the engine learns about the code
    public void run(Mapping mapping, Runnable code, Runnable dropped) {
        loop.execute(() -> {
            if (over) {
                dropped.run();
            } else {
                x.run(mapping, new Code(code, dropped));
            }
        });
    }

    /// Application code on its way to a Worker.
    private record Code(Runnable code, Runnable notRun) implements Task {
        @Override
        public @Nullable Handler run() {
            code.run();
            return null;
        }

        @Override
        public void dropped() {
            notRun.run();
        }
    }

    /// Returns whether a read of [#input] would not wait, also because it would fail.
    public boolean readsWithoutWaiting() {
        return input.isReady();
    }

    /// Returns whether all bytes of the client were read, as far as is known without waiting.
    public boolean inputEnded() {
        return input.hasEnded();
    }

    /// Runs `then` on the loop when a read would not wait. Until then no thread may read. If the
    /// tunnel ends first, only its callback for the end runs.
    public void onReadable(Runnable then) {
        loop.execute(() -> input.fillFor(then));
    }

    /// Makes writes return without waiting. From now on the caller must not write while
    /// [#writesWithoutWaiting] is false.
    public void withoutWaiting() {
        output.withoutWaiting();
    }

    /// Returns whether little enough is unsent that the caller may write more.
    public boolean writesWithoutWaiting() {
        return output.isReady();
    }

    /// Runs `then` on the loop when the caller may write more. If the tunnel ends first, only its
    /// callback for the end runs.
    public void onWritable(Runnable then) {
        loop.execute(() -> output.whenReady(then));
    }

    // For the streams, on their threads

    /// Posts `command` to the loop and waits until the loop has answered `loopCall`.
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
            loop.execute(command);
        }
        if (!loopCall.await()) {
            throw interrupted();
        }
    }

    private static InterruptedIOException interrupted() {
        return new InterruptedIOException("Interrupted while it waited for the client");
    }

    /// Throws if the tunnel is over.
    void check() throws IOException {
        if (over) {
            if (fault != null) {
                throw new ExchangeAbortedException(fault);
            }
            throw new IOException("The connection was closed by this application");
        }
    }

    void execute(Runnable command) {
        loop.execute(command);
    }

    // For the streams, on the loop

    /// Fills `into`.
    ///
    /// @return as [Duplex#read]; if 0, the loop runs `again` later
    int read(ByteBuffer into, Runnable again) {
        if (over) {
            return Source.FAILED;
        }
        int n = duplex.read(into);
        switch (n) {
            case 0 -> duplex.onReadable(again);
            case Source.END -> {
                input.foundEnd(); // first, because the end of the tunnel wakes the reader
                endInput();
            }
            case Source.FAILED -> lost();
            default -> {}
        }
        return n;
    }

    /// Writes a full buffer. Returns whether there is room for more.
    boolean write(ByteBuffer full) {
        return over || !full.hasRemaining() || duplex.write(new Body.Bytes(full, null)) > 0;
    }

    void onRoom(Runnable then) {
        if (!over) {
            duplex.onWritable(then);
        }
    }

    /// Ends the direction from the client, because it has ended or nothing more is to be read.
    void endInput() {
        inputEnded = true;
        endIfDone();
    }

    /// Ends the direction to the client.
    void endOutput() {
        if (!over && !outputEnded) {
            outputEnded = true;
            duplex.end();
            endIfDone();
        }
    }

    private void endIfDone() {
        if (inputEnded && outputEnded) {
            end(Fault.SHUTDOWN);
        }
    }

    private void end(Fault why) {
        if (!over) {
            duplex.close(why);
            ended();
        }
    }

    /// Ends the tunnel, because the connection is lost or a callback failed.
    private void lost() {
        if (!over) {
            @Nullable Fault known = x.fault();
            Fault why = known == null ? Fault.PEER_GONE : known;
            fault = why;
            duplex.close(why);
            ended();
        }
    }

    private void ended() {
        over = true; // set last: a thread that reads it then reads fault
        input.lost();
        output.lost();
        onEnd.run();
    }
}
