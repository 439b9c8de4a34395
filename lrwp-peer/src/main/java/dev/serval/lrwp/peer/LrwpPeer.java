package dev.serval.lrwp.peer;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// An application that dials in to a web server: it registers names and answers the requests for
/// their paths. The server needs no configuration for it.
///
/// ```java
/// try (LrwpPeer peer =
///         LrwpPeer.builder()
///                 .agent("127.0.0.1", 1081)
///                 .register("hello")
///                 .connections(4)
///                 .handler(request -> LrwpResponse.text("Hello"))
///                 .start()) {
///     peer.join();
/// }
/// ```
///
/// Each connection is one virtual thread and serves one request at a time, so the number of
/// connections is the number of requests in progress. A lost connection is opened again after a
/// pause that grows. [#close] answers the requests in progress and then leaves. All methods may be
/// called by any thread.
public final class LrwpPeer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(LrwpPeer.class.getName());
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);

    private final PeerEvents events;
    private final List<PeerConnection> connections;
    private final List<Thread> threads;

    private LrwpPeer(PeerEvents events, List<PeerConnection> connections, List<Thread> threads) {
        this.events = events;
        this.connections = connections;
        this.threads = threads;
    }

    /// Returns a builder. The agent is 127.0.0.1 port 1081 unless it is set.
    public static Builder builder() {
        return new Builder(Surroundings.real());
    }

    static Builder builder(Surroundings surroundings) {
        return new Builder(surroundings);
    }

    /// Returns the number of connections that are registered now.
    public int connected() {
        return events.open();
    }

    /// Returns the number of answers sent, those of failed handlers included.
    public long served() {
        return events.servedCount();
    }

    /// Returns the number of requests whose handler failed.
    public long failed() {
        return events.failedCount();
    }

    /// Returns the number of registrations that the agent refused.
    public long refused() {
        return events.refusedCount();
    }

    /// Returns what keeps the peer from its agent, with the agent's own words, or null.
    public @Nullable String problem() {
        return events.problem();
    }

    boolean isLeaving() {
        return events.isLeaving();
    }

    /// Waits until all connections are registered.
    ///
    /// @return false if that took longer than `patience`; the peer keeps trying
    /// @throws LrwpRefusedException if the agent refuses a registration; the peer keeps trying
    public boolean awaitConnected(Duration patience)
            throws InterruptedException, LrwpRefusedException {
        return events.await(patience.toNanos());
    }

    /// Waits until the peer is closed.
    public void join() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /// Leaves within 10 s. See [#close(Duration)], also for a handler that calls it.
    @Override
    public void close() {
        close(CLOSE_PATIENCE);
    }

    /// Leaves: closes idle connections at once, and busy ones after their answer. Connections that
    /// are busy at the end of `patience` are closed without an answer. LRWP has no word for a
    /// goodbye, so a request that is on its way at this moment gets an error of the agent.
    ///
    /// Returns when all connections have ended. If a handler of this peer calls it, it returns at
    /// once, because the peer waits for the handler's answer.
    public void close(Duration patience) {
        events.leaving().countDown();
        connections.forEach(PeerConnection::leave);
        if (threads.contains(Thread.currentThread())) {
            Thread.ofVirtual().name("lrwp-peer-close").start(() -> end(patience));
        } else {
            end(patience);
        }
    }

    /// Waits until the connections have ended, and ends those that are busy for too long.
    private void end(Duration patience) {
        if (!ended(patience.toNanos())) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Requests were in progress {0} ms after the peer was told to leave; their"
                            + " connections are closed",
                    patience.toMillis());
            connections.forEach(PeerConnection::abort);
            threads.forEach(Thread::interrupt);
        }
    }

    private boolean ended(long nanos) {
        long end = System.nanoTime() + nanos;
        try {
            for (Thread thread : threads) {
                long left = Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()));
                if (!thread.join(Duration.ofMillis(left))) {
                    return false;
                }
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Collects the settings of a peer. Not safe for several threads.
    public static final class Builder {
        private final Surroundings surroundings;
        private final List<Name> names = new ArrayList<>();
        private String agentHost = "127.0.0.1";
        private int agentPort = 1081;
        private String host = "";
        private int connections = 1;
        private @Nullable LrwpVersion version;
        private byte @Nullable [] passphrase;
        private @Nullable LrwpHandler handler;
        private @Nullable SSLContext tls;
        private PeerLimits limits = PeerLimits.STANDARD;

        /// A name with a handler of its own or none.
        private record Name(String name, @Nullable LrwpHandler handler) {}

        private Builder(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        /// Sets the address of the agent.
        ///
        /// @param port from 1 to 65535
        public Builder agent(String address, int port) {
            agentHost = address;
            agentPort = port;
            return this;
        }

        /// Encrypts the connections by TLS. The certificate of the agent must be one that the context
        /// trusts, and be for the address of [#agent]. [SSLContext#getDefault] trusts the authorities
        /// of the JDK.
        public Builder tls(SSLContext context) {
            tls = context;
            return this;
        }

        /// Registers a name with the handler of [#handler]. Several calls register several names.
        ///
        /// @param name a path prefix such as `osp` or `several/parts`, an extension such as `.abc`,
        ///     or `/` for each path; decoded, and up to 200 bytes
        public Builder register(String name) {
            names.add(new Name(name, null));
            return this;
        }

        /// Registers a name with a handler of its own.
        public Builder register(String name, LrwpHandler own) {
            names.add(new Name(name, own));
            return this;
        }

        /// Registers only for this virtual host. Without it, the names are served for any host.
        public Builder host(String virtualHost) {
            host = virtualHost;
            return this;
        }

        /// Sets the passphrase that answers a challenge, and LRWP 2.0. Its UTF-8 bytes are used.
        public Builder passphrase(String text) {
            passphrase = text.getBytes(StandardCharsets.UTF_8);
            return this;
        }

        /// Sets the passphrase by its bytes, as they are in a file.
        public Builder passphrase(byte[] bytes) {
            passphrase = bytes.clone();
            return this;
        }

        /// Sets the version. Without it, a peer with a passphrase uses 2.0 and any other 1.0.
        public Builder version(LrwpVersion used) {
            version = used;
            return this;
        }

        /// Sets the number of connections for each name, from 1 to 10,000. It is the number of
        /// requests that can be in progress.
        public Builder connections(int count) {
            connections = count;
            return this;
        }

        /// Sets the handler of the names that have none of their own.
        public Builder handler(LrwpHandler forAll) {
            handler = forAll;
            return this;
        }

        /// Sets the limits.
        public Builder limits(PeerLimits used) {
            limits = used;
            return this;
        }

        /// Starts the connections and returns at once. Connections that fail are tried again.
        ///
        /// @throws IllegalArgumentException if a setting is missing or wrong; the message says which
        public LrwpPeer start() {
            PeerSettings settings =
                    new PeerSettings(
                            agentHost,
                            agentPort,
                            connections,
                            limits,
                            tls == null ? surroundings : surroundings.encrypted(tls));
            if (names.isEmpty()) {
                throw new IllegalArgumentException(
                        "no name is registered: call register with a path prefix, such as osp");
            }
            List<Registration> registrations = new ArrayList<>();
            List<LrwpHandler> handlers = new ArrayList<>();
            for (Name name : names) {
                LrwpHandler used = name.handler == null ? handler : name.handler;
                if (used == null) {
                    throw new IllegalArgumentException(
                            "\"" + name.name + "\" has no handler: call handler");
                }
                registrations.add(new Registration(name.name, host, used(), passphrase));
                handlers.add(used);
            }
            PeerEvents events =
                    new PeerEvents(
                            settings.agent(), connections * names.size(), surroundings.nanoTime());
            List<PeerConnection> all = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                for (int j = 0; j < names.size(); j++) {
                    all.add(
                            new PeerConnection(
                                    settings, registrations.get(j), handlers.get(j), events));
                }
            }
            List<Thread> threads = new ArrayList<>();
            for (PeerConnection connection : all) {
                threads.add(
                        Thread.ofVirtual().name("lrwp-peer-", threads.size()).start(connection));
            }
            return new LrwpPeer(events, List.copyOf(all), List.copyOf(threads));
        }

        private LrwpVersion used() {
            if (version == null) {
                return passphrase == null ? LrwpVersion.V1_0 : LrwpVersion.V2_0;
            }
            if (version == LrwpVersion.V1_0 && passphrase != null) {
                throw new IllegalArgumentException(
                        "LRWP 1.0 has no passphrase: leave it out, or use 2.0");
            }
            return version;
        }
    }
}
