package dev.serval.bench.flood;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/// Drives one connection of a flood. It is opened again whenever it ends. Owned by the flood's
/// thread.
final class FloodConnection {
    private static final byte DRIP = 'a';

    private final FloodLoad load;
    private final AnswerCount answers = new AnswerCount();
    private @Nullable SocketChannel channel;
    private @Nullable SelectionKey key;
    private ByteBuffer out = ByteBuffer.allocate(0);
    private boolean sent;

    FloodConnection(FloodLoad load) {
        this.load = load;
    }

    /// Starts to connect.
    ///
    /// @return false if that is not possible now
    boolean open(Selector selector, SocketAddress target) {
        try {
            SocketChannel opened = SocketChannel.open();
            channel = opened;
            opened.configureBlocking(false);
            answers.reset();
            out = load.nextRequest();
            sent = false;
            boolean connected = opened.connect(target);
            key =
                    opened.register(
                            selector,
                            connected ? SelectionKey.OP_WRITE : SelectionKey.OP_CONNECT,
                            this);
            return true;
        } catch (IOException e) {
            close();
            return false;
        }
    }

    /// Reads or writes a channel that is ready.
    void ready(SelectionKey ready) {
        @Nullable SocketChannel open = channel;
        if (open == null) {
            return;
        }
        try {
            if (ready.isConnectable()) {
                open.finishConnect();
                load.countConnect();
                ready.interestOps(SelectionKey.OP_WRITE);
                write(open);
            } else {
                if (ready.isReadable() && !read(open)) {
                    return;
                }
                if (ready.isWritable()) {
                    write(open);
                }
            }
        } catch (IOException e) {
            end();
        }
    }

    /// Sends one more byte if the connection has sent its first bytes.
    void drip() {
        @Nullable SocketChannel open = channel;
        if (open != null && sent) {
            try {
                open.write(ByteBuffer.wrap(new byte[] {DRIP}));
            } catch (IOException e) {
                end();
            }
        }
    }

    /// Closes the connection for good.
    void close() {
        @Nullable SocketChannel open = channel;
        channel = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                load.countFailure(); // a failed close cannot be repaired
            }
        }
    }

    private void write(SocketChannel open) throws IOException {
        if (load.flood().then() == Flood.Then.WRITE_ON) {
            writeOn(open);
            return;
        }
        open.write(out);
        if (out.hasRemaining()) {
            interest(SelectionKey.OP_WRITE | SelectionKey.OP_READ);
            return;
        }
        sent = true;
        load.countRequest();
        if (load.flood().then() == Flood.Then.RESET) {
            open.setOption(StandardSocketOptions.SO_LINGER, 0);
            end();
        } else {
            interest(SelectionKey.OP_READ);
        }
    }

    private void writeOn(SocketChannel open) throws IOException {
        open.write(out);
        if (!out.hasRemaining()) {
            load.countRequest();
            out.rewind();
        }
        interest(SelectionKey.OP_WRITE);
    }

    /// @return whether the connection is still open
    private boolean read(SocketChannel open) throws IOException {
        ByteBuffer in = load.scratch();
        int n = open.read(in.clear());
        if (n < 0) {
            end();
            return false;
        }
        Flood.Then then = load.flood().then();
        if (then == Flood.Then.ASK_AGAIN || then == Flood.Then.ANSWERED_ONCE) {
            int whole = answers.read(in.flip());
            load.countAnswers(whole);
            if (whole > 0 && then == Flood.Then.ANSWERED_ONCE) {
                end();
                return false;
            }
            if (whole > 0) {
                out = load.nextRequest();
                write(open);
            }
        }
        return true;
    }

    private void interest(int operations) {
        @Nullable SelectionKey present = key;
        if (present != null && present.isValid() && present.interestOps() != operations) {
            present.interestOps(operations);
        }
    }

    private void end() {
        close();
        load.ended(this);
    }
}
