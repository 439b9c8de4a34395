package dev.serval.lrwp.peer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import jdk.net.ExtendedSocketOptions;

/// What a peer needs from outside: sockets, a clock, randomness and pauses. Tests replace them.
///
/// @param connector opens connections
/// @param nanoTime a clock that only moves forward, in nanoseconds
/// @param random spreads the pauses between attempts
/// @param pause waits between attempts
record Surroundings(
        Connector connector, LongSupplier nanoTime, RandomGenerator random, Pause pause) {
    private static final int SILENCE_SECONDS = 60;
    private static final int PROBE_SECONDS = 10;
    private static final int PROBES = 6;

    /// Opens connections to an agent.
    @FunctionalInterface
    interface Connector {
        /// Opens a connection, or fails after `timeoutMillis`.
        ///
        /// @param created is told of the socket before it connects, so that it can be closed
        Socket open(String host, int port, int timeoutMillis, Created created) throws IOException;
    }

    /// Is told of a new socket.
    @FunctionalInterface
    interface Created {
        void socket(Socket socket) throws IOException;
    }

    /// Waits.
    @FunctionalInterface
    interface Pause {
        /// Waits for the time, but not longer than until the latch opens.
        void pause(long nanos, CountDownLatch until) throws InterruptedException;
    }

    /// Returns the surroundings of a real peer.
    static Surroundings real() {
        return new Surroundings(
                Surroundings::connect,
                System::nanoTime,
                RandomGenerator.getDefault(),
                Surroundings::pause);
    }

    /// Returns the same surroundings with encrypted connections. A socket that has been created stays
    /// the one below, so that [Created] can close it at any time.
    ///
    /// @param context which certificates of agents it trusts
    Surroundings encrypted(SSLContext context) {
        return new Surroundings(
                (host, port, timeoutMillis, created) ->
                        encrypted(
                                context,
                                connector.open(host, port, timeoutMillis, created),
                                host,
                                timeoutMillis),
                nanoTime,
                random,
                pause);
    }

    private static Socket encrypted(SSLContext context, Socket open, String host, int timeoutMillis)
            throws IOException {
        try {
            SSLSocket socket =
                    (SSLSocket)
                            context.getSocketFactory()
                                    .createSocket(open, host, open.getPort(), true);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS"); // checks the name
            socket.setSSLParameters(parameters);
            socket.setSoTimeout(timeoutMillis);
            socket.startHandshake();
            return socket;
        } catch (IOException e) {
            open.close();
            throw e;
        }
    }

    private static void pause(long nanos, CountDownLatch until) throws InterruptedException {
        boolean _ = until.await(nanos, TimeUnit.NANOSECONDS);
    }

    /// Tries each address of the host in turn.
    private static Socket connect(String host, int port, int timeoutMillis, Created created)
            throws IOException {
        IOException failure = new UnknownHostException(host);
        for (InetAddress address : InetAddress.getAllByName(host)) {
            Socket socket = new Socket();
            try {
                created.socket(socket);
                socket.connect(new InetSocketAddress(address, port), timeoutMillis);
                socket.setTcpNoDelay(true);
                keepAlive(socket);
                return socket;
            } catch (IOException e) {
                socket.close();
                failure = e;
            }
        }
        throw failure;
    }

    /// Lets the system find within two minutes that the agent's machine has vanished, or that a
    /// firewall has forgotten the connection: an idle connection has no time limit. By itself the
    /// system would look after two hours.
    private static void keepAlive(Socket socket) throws IOException {
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        set(socket, ExtendedSocketOptions.TCP_KEEPIDLE, SILENCE_SECONDS);
        set(socket, ExtendedSocketOptions.TCP_KEEPINTERVAL, PROBE_SECONDS);
        set(socket, ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
    }

    private static void set(Socket socket, SocketOption<Integer> option, int value)
            throws IOException {
        if (socket.supportedOptions().contains(option)) { // not on every system
            socket.setOption(option, value);
        }
    }
}
