package dev.serval.conformance;

import dev.serval.ListenerSpec;
import dev.serval.Serval;
import dev.serval.policy.Counter;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.TestKeys;
import dev.serval.testkit.mode.Mode;
import dev.serval.tls.JdkTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.function.UnaryOperator;

/// A server for one test, on its own port and with one loop by default. Closing it checks for
/// leaks.
final class Served implements AutoCloseable {
    private final Serval server;

    private Served(Serval server) {
        this.server = server;
    }

    /// Starts a server with the settings added to the builder.
    static Served with(UnaryOperator<Serval.Builder> settings) {
        return bare(b -> settings.apply(b.listen(0)));
    }

    /// Starts a server that listens only at the addresses of the settings.
    static Served bare(UnaryOperator<Serval.Builder> settings) {
        try {
            return new Served(settings.apply(Serval.builder().loops(1)).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    SocketAddress address() {
        return server.addresses().getFirst();
    }

    int port() {
        return ((InetSocketAddress) address()).getPort();
    }

    /// Returns the port of the second address ([#tls]) or of the first.
    int port(boolean tls) {
        return ((InetSocketAddress) server.addresses().get(tls ? 1 : 0)).getPort();
    }

    RawClient connect() {
        return RawClient.connect(address());
    }

    /// Connects in a mode: with TLS to the second address ([#tls]), otherwise to the first.
    RawClient connect(Mode mode) {
        return RawClient.connect(server.addresses().get(mode.isTls() ? 1 : 0), mode);
    }

    /// Returns a listener with TLS on a free port.
    static ListenerSpec tls() {
        TestKeys keys = TestKeys.local();
        try {
            return new ListenerSpec(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .withTls(JdkTls.of(keys.certificate(), keys.key()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long count(Counter counter) {
        return server.metrics().sum(counter);
    }

    /// Stops as a deployment does: requests in progress are answered within `drain`.
    void stop(Duration drain) {
        server.stop(drain);
    }

    @Override
    public void close() {
        server.close();
        leakCheck();
    }

    /// Checks that every accepted connection was closed and counted as closed.
    private void leakCheck() {
        Await.until(
                "every accepted connection was closed",
                () -> count(Counter.CONNECTIONS_ACCEPTED) == count(Counter.CONNECTIONS_CLOSED));
    }
}
