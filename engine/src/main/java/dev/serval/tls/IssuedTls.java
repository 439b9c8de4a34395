package dev.serval.tls;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLEngine;

/// Serves keys whose certificates are issued while the server runs. New connections get what was set
/// last; open ones are not affected. Until a name has a certificate, its handshakes are refused. Any
/// thread.
public final class IssuedTls implements TlsProvider {
    /// Refused handshakes are logged at most so often, because clients cause them.
    static final long LOG_NANOS = 60_000_000_000L;

    private static final System.Logger LOG = System.getLogger(IssuedTls.class.getName());
    private static final List<String> CHALLENGE = List.of(IssuedKeys.CHALLENGE_PROTOCOL);

    private final TlsSettings settings;
    private final LongSupplier nanos;
    private final Consumer<String> report;
    private final AtomicLong nextLogNanos;
    private volatile Present present;

    /// What new connections get.
    private record Present(TlsProvider tls, boolean checked) {}

    /// Creates a provider without keys.
    ///
    /// @param settings those of a listener with issued certificates
    /// @throws IOException if the authorities of clients cannot be read
    public IssuedTls(TlsSettings settings) throws IOException {
        this(settings, System::nanoTime, IssuedTls::log);
    }

    /// @param nanos a clock
    /// @param report takes the name of a handshake that was refused
    IssuedTls(TlsSettings settings, LongSupplier nanos, Consumer<String> report)
            throws IOException {
        this.settings = settings;
        this.nanos = nanos;
        this.report = report;
        this.nextLogNanos = new AtomicLong(nanos.getAsLong());
        this.present = made(IssuedKeys.NONE);
    }

    /// Sets what connections get from now on. Tickets of the former keys are not accepted any more.
    ///
    /// @throws IOException if the authorities of clients cannot be read; then nothing has changed
    public void use(IssuedKeys keys) throws IOException {
        present = made(keys);
    }

    private Present made(IssuedKeys keys) throws IOException {
        return new Present(
                settings.library().make(keys, this::refused, settings),
                !keys.challenges().isEmpty());
    }

    private void refused(String name) {
        long due = nextLogNanos.get();
        long now = nanos.getAsLong();
        if (now - due >= 0 && nextLogNanos.compareAndSet(due, now + LOG_NANOS)) {
            report.accept(name);
        }
    }

    private static void log(String name) {
        LOG.log(
                WARNING,
                "A TLS handshake for {0} was refused, because there is no certificate for it yet; see"
                        + " serval status for the reason",
                name.isEmpty() ? "a client that names no host" : '"' + name + '"');
    }

    @Override
    public SSLEngine engine(SocketAddress peer) {
        return present.tls.engine(peer);
    }

    @Override
    public List<String> furtherProtocols() {
        return present.checked ? CHALLENGE : List.of();
    }
}
