package dev.serval.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/// A client with one connection over any protocol and any [Wire]. It makes [Call]s. It moves bytes
/// only while a test waits ([#await]), so that the test observes every step. Owned by the thread of
/// its test.
public final class Caller implements AutoCloseable {
    private final Wire wire;
    private final ClientCodec codec;
    private final List<Call> calls = new ArrayList<>();
    private final byte[] sharedRead = new byte[64 << 10];
    private byte[] left = {};
    private boolean over;

    private Caller(Wire wire, ClientCodec codec) {
        this.wire = wire;
        this.codec = codec;
    }

    /// Returns a client for HTTP/1.1.
    public static Caller http1(Wire wire) {
        return new Caller(wire, new Http1ClientCodec(wire));
    }

    /// Returns a client for HTTP/2 with prior knowledge.
    public static Caller http2(Wire wire) {
        return new Caller(wire, new Http2ClientCodec(wire));
    }

    /// Returns a client for [ToyFrames].
    public static Caller toy(Wire wire) {
        return new Caller(wire, new ToyClientCodec(wire));
    }

    /// Begins a request, and sends as much of it as possible.
    public Call call(Call.Ask ask) {
        Call call = new Call(this, ask);
        calls.add(call);
        codec.open(call);
        return call;
    }

    /// Begins a GET.
    public Call get(String target) {
        return call(Call.Ask.get(target));
    }

    /// Sends and receives until `condition` holds. Fails if nothing more can happen.
    ///
    /// @param what names the condition in the failure message
    public void await(String what, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            boolean moved = step();
            if (!condition.getAsBoolean() && !moved && !wire.advance(reads())) {
                throw new AssertionError(
                        "nothing more can happen while waiting until " + what + ": " + calls);
            }
        }
    }

    /// Waits like [#await] until that call is over, complete or not.
    public Call awaitEnd(Call call) {
        await(call + " is over", call::isOver);
        return call;
    }

    /// Sends and receives once, as much as possible.
    ///
    /// @return whether anything moved
    public boolean step() {
        boolean moved = codec.send();
        if (!reads()) {
            return moved;
        }
        int n = wire.read(sharedRead);
        if (n > 0) {
            take(n);
        } else if (n < 0) {
            over = true;
            codec.ended(n == Wire.RESET);
        }
        return moved || n != 0;
    }

    /// Returns whether the server has finished sending, or has reset the connection.
    public boolean isOver() {
        return over;
    }

    /// Returns the connection's wire.
    public Wire wire() {
        return wire;
    }

    ClientCodec codec() {
        return codec;
    }

    @Override
    public void close() {
        wire.close();
    }

    private boolean reads() {
        return !over && codec.reads();
    }

    private void take(int n) {
        byte[] bytes = sharedRead;
        int to = n;
        if (left.length > 0) {
            bytes = Arrays.copyOf(left, left.length + n);
            System.arraycopy(sharedRead, 0, bytes, left.length, n);
            to = bytes.length;
        }
        int at = codec.take(bytes, 0, to);
        left = Arrays.copyOfRange(bytes, at, to);
    }

    /// Encodes calls as bytes and decodes bytes into calls.
    interface ClientCodec {
        /// Begins a call.
        void open(Call call);

        /// Sends as much as there is room for.
        ///
        /// @return whether any bytes were sent
        boolean send();

        /// Decodes received bytes.
        ///
        /// @return the first index that was not consumed; those bytes are passed again with more
        ///     after them
        int take(byte[] bytes, int from, int to);

        /// Returns whether the codec accepts bytes now.
        boolean reads();

        /// Handles the end of the server's bytes, or a reset of the connection.
        void ended(boolean reset);

        /// Aborts one call, and no other if the protocol allows it.
        void reset(Call call);

        /// Handles [Call#resume].
        void resumed(Call call);
    }
}
