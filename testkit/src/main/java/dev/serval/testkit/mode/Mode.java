package dev.serval.testkit.mode;

import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/// A kind of connection between a test's client and its server. A fixture starts its server in the mode
/// of the test that runs ([#current]) and notes its address. `RawClient` then connects to that address
/// in the same mode. Any thread.
public enum Mode {
    /// HTTP/1.1 without TLS.
    H1(false, false),
    /// HTTP/1.1 with TLS.
    H1_TLS(true, false),
    /// HTTP/2 with prior knowledge.
    H2C(false, true),
    /// HTTP/2, which ALPN has chosen.
    H2(true, true);

    private static final AtomicReference<Mode> CURRENT = new AtomicReference<>(H1);
    private static final Map<SocketAddress, Mode> SERVED = new ConcurrentHashMap<>();

    private final boolean tls;
    private final boolean http2;

    Mode(boolean tls, boolean http2) {
        this.tls = tls;
        this.http2 = http2;
    }

    /// Returns whether TLS is on the connection.
    public boolean isTls() {
        return tls;
    }

    /// Returns whether the connection speaks HTTP/2.
    public boolean isHttp2() {
        return http2;
    }

    /// Returns `http` or `https`.
    public String scheme() {
        return tls ? "https" : "http";
    }

    /// Returns what an application sees as the protocol, such as `HTTP/1.1`.
    public String protocol() {
        return http2 ? "HTTP/2.0" : "HTTP/1.1";
    }

    /// Returns the mode of the tests that run; [#H1] outside of [EveryMode].
    public static Mode current() {
        return CURRENT.get();
    }

    /// Notes that a server listens there in the current mode.
    public static void serves(SocketAddress address) {
        SERVED.put(address, current());
    }

    /// Notes that what listens there has no mode. Its port may be that of a server that has ended.
    public static void servesWithout(SocketAddress address) {
        SERVED.remove(address);
    }

    /// Returns the mode in which to connect; [#H1] for an address that was not noted.
    public static Mode at(SocketAddress address) {
        return SERVED.getOrDefault(address, H1);
    }

    /// Begins another mode, with no server.
    static void begin(Mode mode) {
        SERVED.clear();
        CURRENT.set(mode);
    }
}
