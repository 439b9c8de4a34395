package dev.serval.bench.bare;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/// A program that dials in and returns the content of each request. One thread serves all its
/// connections and writes each answer at once, so that it costs as little as an application can and
/// leaves the CPU to the client. On request it writes as the libraries of Xitami do.
public final class EchoPeer {
    /// The name that it registers.
    public static final String NAME = "echo";

    /// The argument to write the length and the output separately, and to leave Nagle's algorithm on.
    public static final String TWO_WRITES = "two-writes";

    private static final byte[] HEAD =
            "Content-Type: application/octet-stream\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /// The longest request with its variables.
    private static final int ROOM_BYTES = 64 << 10;

    private static final int DIGITS = 9;
    private static final int REFUSAL_MAX_BYTES = 1024;

    private final Selector selector = Selector.open();
    private final ByteBuffer out = ByteBuffer.allocateDirect(ROOM_BYTES);

    private final boolean twoWrites;

    private EchoPeer(boolean twoWrites) throws IOException {
        this.twoWrites = twoWrites;
    }

    /// Runs until the agent closes a connection.
    ///
    /// @param arguments the agent's port and the number of connections; then perhaps [#TWO_WRITES]
    public static void main(String[] arguments) throws IOException {
        EchoPeer peer = new EchoPeer(arguments.length > 2 && arguments[2].equals(TWO_WRITES));
        InetSocketAddress agent =
                new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
        int connections = Integer.parseInt(arguments[1]);
        for (int i = 0; i < connections; i++) {
            peer.dialIn(agent);
        }
        System.out.println(connections + " connections registered");
        peer.serve();
    }

    private void dialIn(InetSocketAddress agent) throws IOException {
        SocketChannel channel = SocketChannel.open(agent);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, !twoWrites);
        // LRWP 1.0: the name, any host, no filter; 255 ends each part.
        channel.write(ByteBuffer.wrap((NAME + "ÿÿ").getBytes(StandardCharsets.ISO_8859_1)));
        String answer = read(channel, 2); // a request may already follow
        if (!answer.equals("OK")) {
            String text = answer + read(channel, REFUSAL_MAX_BYTES);
            throw new ProtocolException("the agent answers \"" + text + "\" to the registration");
        }
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, new Requests());
    }

    /// Reads so many bytes, or fewer if the agent closes the connection.
    private static String read(SocketChannel channel, int bytes) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(bytes);
        int n = 0;
        while (n >= 0 && into.hasRemaining()) {
            n = channel.read(into);
        }
        return new String(into.array(), 0, into.position(), StandardCharsets.ISO_8859_1);
    }

    private void serve() throws IOException {
        while (true) {
            selector.select();
            for (SelectionKey key : selector.selectedKeys()) {
                SocketChannel channel = (SocketChannel) key.channel();
                Requests requests = (Requests) key.attachment();
                if (channel.read(requests.in) < 0) {
                    throw new EOFException("the agent closed a connection");
                }
                if (requests.answer(out)) {
                    send(channel);
                }
            }
            selector.selectedKeys().clear();
        }
    }

    private void send(SocketChannel channel) throws IOException {
        if (twoWrites) {
            channel.write(out.slice(0, DIGITS));
            out.position(DIGITS);
        }
        channel.write(out);
        if (out.hasRemaining()) {
            throw new IOException("the socket does not take a whole answer");
        }
    }

    /// The bytes of one connection.
    static final class Requests {
        private final ByteBuffer in = ByteBuffer.allocateDirect(ROOM_BYTES);

        /// Adds bytes of a request.
        void add(byte[] bytes) {
            in.put(bytes);
        }

        /// Makes the answer to the request, if it is complete.
        ///
        /// @param into receives the answer, ready to be written
        /// @return whether the request is complete
        boolean answer(ByteBuffer into) throws ProtocolException {
            if (in.position() < DIGITS) {
                return false;
            }
            int variables = number(0);
            if (in.position() < DIGITS + variables + DIGITS) {
                return false;
            }
            int from = DIGITS + variables + DIGITS;
            int length = number(DIGITS + variables);
            if (in.position() < from + length) {
                return false;
            }
            into.clear();
            putNumber(into, HEAD.length + length);
            into.put(HEAD).put(in.slice(from, length)).flip();
            in.clear();
            return true;
        }

        private int number(int from) throws ProtocolException {
            int value = 0;
            for (int at = from; at < from + DIGITS; at++) {
                int digit = in.get(at) - '0';
                if (digit < 0 || digit > 9) {
                    throw new ProtocolException("a length of the agent has no nine digits");
                }
                value = value * 10 + digit;
            }
            if (value > ROOM_BYTES - 2 * DIGITS - HEAD.length) {
                throw new ProtocolException("the request has more than 64 KiB");
            }
            return value;
        }

        private static void putNumber(ByteBuffer into, int number) {
            int divisor = 100_000_000;
            for (int i = 0; i < DIGITS; i++) {
                into.put((byte) ('0' + number / divisor % 10));
                divisor /= 10;
            }
        }
    }
}
