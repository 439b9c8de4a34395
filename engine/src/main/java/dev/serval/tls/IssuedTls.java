package dev.serval.tls;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.loop.Throttle;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLEngine;

/// Serves keys whose certificates are issued while the server runs. New connections get what was set
/// last; open ones are not affected. Until a name has a certificate, its handshakes are refused. Any
/// thread.
///
/// The authorities of clients and their lists of revoked certificates are files. A connection causes a
/// look at them as in [WatchedTls]. What cannot be read or made is tried again ([WatchedFiles]).
public final class IssuedTls implements TlsProvider {
    /// Refused handshakes are logged at most so often, because clients cause them.
    static final long LOG_NANOS = 60_000_000_000L;

    private static final System.Logger LOG = System.getLogger(IssuedTls.class.getName());
    private static final List<String> CHALLENGE = List.of(IssuedKeys.CHALLENGE_PROTOCOL);

    private final TlsSettings settings;
    private final LongSupplier nanos;
    private final Executor threads;
    private final Consumer<String> report;
    private final WatchedFiles files; // under the lock
    private final Throttle looks;
    private final CredentialCheck.Daily check;
    private final Throttle reports = new Throttle(LOG_NANOS);
    private IssuedKeys keys = IssuedKeys.NONE; // to use, under the lock
    private volatile Present present;

    /// What new connections get.
    private record Present(TlsProvider tls, boolean checked) {}

    /// Creates a provider without keys.
    ///
    /// @param settings those of a listener with issued certificates
    /// @throws IOException if the authorities of clients cannot be read
    public IssuedTls(TlsSettings settings) throws IOException {
        this(settings, System::nanoTime, WatchedFiles.THREADS, IssuedTls::log);
    }

    /// @param nanos a clock
    /// @param threads looks at the files
    /// @param report takes the name of a handshake that was refused
    IssuedTls(TlsSettings settings, LongSupplier nanos, Executor threads, Consumer<String> report)
            throws IOException {
        this(settings, nanos, threads, report, new CredentialCheck.Daily());
    }

    /// @param check tells of authorities and lists that are out of date
    IssuedTls(
            TlsSettings settings,
            LongSupplier nanos,
            Executor threads,
            Consumer<String> report,
            CredentialCheck.Daily check)
            throws IOException {
        this.check = check;
        this.settings = settings;
        this.nanos = nanos;
        this.threads = threads;
        this.report = report;
        this.files = new WatchedFiles(settings.clients().files(), nanos);
        this.looks = new Throttle(WatchedFiles.LOOK_NANOS, nanos.getAsLong());
        this.present = made();
        check.look(nanos.getAsLong(), List.of(), settings.clients());
    }

    /// Sets what connections get from now on. Tickets of the former keys are not accepted any more.
    ///
    /// @throws IOException if the authorities of clients cannot be read, or the library cannot use the
    ///     keys; then connections get what was set before until a later attempt succeeds
    public synchronized void use(IssuedKeys next) throws IOException {
        keys = next;
        files.read(() -> present = made());
    }

    /// Reads the files of clients that have changed.
    @Override
    public synchronized boolean look() {
        boolean isNew = files.look(() -> present = made());
        check.look(nanos.getAsLong(), List.of(), settings.clients());
        return isNew;
    }

    private Present made() throws IOException {
        return new Present(
                settings.library().make(keys, this::refused, settings),
                !keys.challenges().isEmpty());
    }

    private void refused(String name) {
        if (reports.pass(nanos.getAsLong())) {
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
        if (looks.pass(nanos.getAsLong())) {
            threads.execute(this::look);
        }
        return present.tls.engine(peer);
    }

    @Override
    public List<String> furtherProtocols() {
        return present.checked ? CHALLENGE : List.of();
    }
}
