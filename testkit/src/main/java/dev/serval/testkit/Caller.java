package dev.serval.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/// A client with one connection, whatever it speaks and whatever carries it: makes [Call]s, and moves
/// bytes both ways only while it is asked to wait for something ([#await]), so that a test sees
/// every step. Owned by the thread of its test.
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

    /// Speaks HTTP/1.1.
    public static Caller http1(Wire wire) {
        return new Caller(wire, new Http1ClientCodec(wire));
    }

    /// Speaks [ToyFrames].
    public static Caller toy(Wire wire) {
        return new Caller(wire, new ToyClientCodec(wire));
    }

    /// Begins a request; what of it can be sent at once is.
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

    /// Sends and receives until `condition` holds; fails when nothing more will happen.
    ///
    /// @param what what is waited for, for the failure's sentence
    public void await(String what, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            boolean moved = step();
            if (!condition.getAsBoolean() && !moved && !wire.advance(reads())) {
                throw new AssertionError("waited in vain until " + what + ": " + calls);
            }
        }
    }

    /// As [#await] for the end of that call, whole or not.
    public Call awaitEnd(Call call) {
        await(call + " is over", call::isOver);
        return call;
    }

    /// Sends and receives once, what can be.
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

    /// Whether the server has finished sending, or reset the connection.
    public boolean isOver() {
        return over;
    }

    /// The connection itself.
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

    /// What makes bytes of calls, and calls of bytes.
    interface ClientCodec {
        /// A call begins.
        void open(Call call);

        /// Sends what there is room for.
        ///
        /// @return whether anything was
        boolean send();

        /// Takes bytes in.
        ///
        /// @return index of the first it did not take; it is offered again with more behind it
        int take(byte[] bytes, int from, int to);

        /// Whether it wants any.
        boolean reads();

        /// The server has finished sending.
        void ended(boolean reset);

        /// Gives a call up, and no other where that can be.
        void reset(Call call);

        /// The call is taken on where it was left, or left.
        void resumed(Call call);
    }
}
