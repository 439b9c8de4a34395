package dev.serval.gateway.tls;

import static java.lang.System.Logger.Level.INFO;

import dev.serval.loop.Throttle;
import dev.serval.tls.Authorities;
import dev.serval.tls.Credential;
import dev.serval.tls.HandshakeThreads;
import dev.serval.tls.JdkTls;
import dev.serval.tls.KeyFiles;
import dev.serval.tls.WatchedFiles;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/// Encrypts the connections to the upstreams of one pool: the client's side of TLS 1.3 and 1.2 by the
/// JDK's engine. Sessions are resumed. Any thread.
///
/// Changed files are read again: a handshake causes a look at them, at most once a second, by another
/// thread. A file that cannot be used is logged and tried again ([WatchedFiles]), and what was read
/// before stays.
public final class UpstreamTls {
    private static final System.Logger LOG = System.getLogger(UpstreamTls.class.getName());
    private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};
    private static final String[] HTTP1 = {"http/1.1"};

    private final TlsTarget target;
    private final LongSupplier nanos;
    private final HandshakeThreads threads = new HandshakeThreads(); // which end by themselves
    private final Executor looking;
    private final Throttle looks;
    private final WatchedFiles files; // under the lock
    private volatile SSLContext context;

    /// @param nanos a clock
    /// @param looking looks at the files
    UpstreamTls(TlsTarget target, LongSupplier nanos, Executor looking) throws IOException {
        this.target = target;
        this.nanos = nanos;
        this.looking = looking;
        this.files = new WatchedFiles(files(target), nanos);
        this.context = read(target);
        this.looks = new Throttle(WatchedFiles.LOOK_NANOS, nanos.getAsLong());
    }

    /// Reads the files of the settings.
    ///
    /// @throws IOException if one cannot be used; the message says which, what is wrong and what would
    ///     be right
    public static UpstreamTls of(TlsTarget target) throws IOException {
        return new UpstreamTls(target, System::nanoTime, WatchedFiles.THREADS);
    }

    /// Checks the files of settings.
    ///
    /// @throws IOException as [#of]
    public static void check(TlsTarget target) throws IOException {
        SSLContext _ = read(target);
    }

    /// Returns the settings.
    public TlsTarget target() {
        return target;
    }

    /// Creates the engine of a connection.
    ///
    /// @param host of the upstream's address
    public SSLEngine engine(String host, int port) {
        lookIfDue();
        String name = name(host);
        SSLEngine engine = context.createSSLEngine(name, port);
        engine.setUseClientMode(true);
        engine.setSSLParameters(parameters(engine.getSSLParameters(), name));
        return engine;
    }

    /// Lays TLS over a socket that is connected, for a caller that may wait.
    ///
    /// @param host of the upstream's address
    public SSLSocket socket(Socket connected, String host, int port) throws IOException {
        lookIfDue();
        String name = name(host);
        SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(connected, name, port, true);
        socket.setUseClientMode(true);
        socket.setSSLParameters(parameters(socket.getSSLParameters(), name));
        return socket;
    }

    /// Has a thread do work of a handshake that takes long.
    ///
    /// @return false if too much waits already
    public boolean submit(SocketAddress upstream, Runnable work) {
        return threads.submit(upstream, work);
    }

    private String name(String host) {
        @Nullable String name = target.name();
        return name == null ? host : name;
    }

    private SSLParameters parameters(SSLParameters parameters, String name) {
        parameters.setProtocols(VERSIONS);
        parameters.setApplicationProtocols(HTTP1);
        if (target.verifies()) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS"); // RFC 9110 §4.3.4
        }
        parameters.setServerNames(serverNames(name));
        return parameters;
    }

    /// Returns what to ask for by SNI, which takes neither addresses (RFC 6066 §3) nor names with `_`.
    private static List<SNIServerName> serverNames(String name) {
        try {
            return isAddress(name) ? List.of() : List.of(new SNIHostName(name));
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }

    private static boolean isAddress(String name) {
        return name.indexOf(':') >= 0 || name.matches("[0-9.]+");
    }

    private static List<@Nullable Path> files(TlsTarget target) {
        @Nullable KeyFiles own = target.own();
        return own == null
                ? Arrays.asList(target.authorities())
                : Arrays.<@Nullable Path>asList(
                        target.authorities(), own.certificates(), own.key(), own.passphrase());
    }

    private void lookIfDue() {
        if (looks.pass(nanos.getAsLong())) {
            looking.execute(this::look);
        }
    }

    /// Reads what has changed.
    private synchronized void look() {
        if (files.look(() -> context = read(target))) {
            LOG.log(INFO, "New connections to upstreams use the changed files of TLS");
        }
    }

    private static SSLContext read(TlsTarget target) throws IOException {
        UpstreamTrust trust =
                new UpstreamTrust(
                        target.verifies() ? Authorities.read(target.authorities()) : null);
        @Nullable KeyFiles own = target.own();
        KeyManager @Nullable [] keys = own == null ? null : keys(own);
        try {
            SSLContext made = SSLContext.getInstance("TLS");
            made.init(keys, new TrustManager[] {trust}, JdkTls.random());
            return made;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JDK has no TLS", e);
        }
    }

    private static KeyManager[] keys(KeyFiles files) throws IOException {
        char[] inMemory = new char[0];
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (Credential each : files.read()) {
                store.setKeyEntry(
                        each.certificate().getSerialNumber().toString(),
                        each.key(),
                        inMemory,
                        each.chain().toArray(new X509Certificate[0]));
            }
            KeyManagerFactory factory =
                    KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, inMemory);
            return factory.getKeyManagers();
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    files.certificates() + " cannot be shown to upstreams: " + e.getMessage(), e);
        }
    }
}
