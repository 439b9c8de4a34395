package dev.serval.conn;

import dev.serval.net.Masking;
import dev.serval.testkit.Wire;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// The client's end of a connection with a [MaskedTransport], over another wire.
final class MaskedWire implements Wire {
    private final Wire wire;
    private final Masking outgoing = new Masking();
    private final Masking incoming = new Masking();
    private final byte[] received = new byte[64 << 10];
    private byte[] raw = {};
    private byte[] plain = {};
    private int plainAt;
    private boolean ended;

    MaskedWire(Wire wire) {
        this.wire = wire;
    }

    @Override
    public int room() {
        return wire.room();
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        ByteBuffer content = ByteBuffer.wrap(bytes);
        for (int at = 0; at < length; at += Masking.CONTENT_MAX) {
            send(Masking.CONTENT, content, from + at, Math.min(Masking.CONTENT_MAX, length - at));
        }
    }

    private void send(byte type, ByteBuffer content, int from, int length) {
        ByteBuffer record = ByteBuffer.allocate(length + Masking.OVERHEAD);
        outgoing.begin(type, length, record);
        outgoing.put(content, from, length, record);
        outgoing.end(record);
        wire.write(record.array(), 0, record.capacity());
    }

    /// Returns [#RESET] also if the stream ends without its last record.
    @Override
    public int read(byte[] into) {
        while (plainAt == plain.length) {
            if (ended) {
                return END;
            }
            if (!unmask()) {
                int n = wire.read(received);
                if (n <= 0) {
                    return n == END ? RESET : n;
                }
                int before = raw.length;
                raw = Arrays.copyOf(raw, before + n);
                System.arraycopy(received, 0, raw, before, n);
            }
        }
        int n = Math.min(into.length, plain.length - plainAt);
        System.arraycopy(plain, plainAt, into, 0, n);
        plainAt += n;
        return n;
    }

    private boolean unmask() {
        ByteBuffer bytes = ByteBuffer.wrap(raw);
        int length = Masking.length(bytes, 0, raw.length);
        if (length == 0 || length > raw.length) {
            return false;
        }
        incoming.unmask(bytes, 0, length);
        ended = raw[0] == Masking.END;
        plain = Arrays.copyOfRange(raw, Masking.HEADER, length - 1);
        plainAt = 0;
        raw = Arrays.copyOfRange(raw, length, raw.length);
        return true;
    }

    @Override
    public boolean advance(boolean reads) {
        return wire.advance(reads);
    }

    @Override
    public void end() {
        send(Masking.END, ByteBuffer.allocate(0), 0, 0);
        wire.end();
    }

    @Override
    public void reset() {
        wire.reset();
    }

    @Override
    public void close() {
        wire.close();
    }
}
