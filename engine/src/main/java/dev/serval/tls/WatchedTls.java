package dev.serval.tls;

import static java.lang.System.Logger.Level.INFO;

import dev.serval.loop.Throttle;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLEngine;

/// Serves the keys of files, and reads those again that have changed, and the authorities of clients
/// with their lists of revoked certificates. Once a day it warns of those that expire soon. New
/// connections get what has been read last; open ones are not affected. A pair of files that cannot be
/// used leaves what was read from it before, is logged, and is tried again ([WatchedFiles]). Any thread.
///
/// A connection that begins causes a look at the files, at most once a second. Another thread looks, so
/// that connection still gets what was there before.
public final class WatchedTls implements TlsProvider {
    private static final System.Logger LOG = System.getLogger(WatchedTls.class.getName());

    /// The files of one key, and what was read from them.
    private static final class Entry {
        private final KeyFiles files;
        private final WatchedFiles watched;
        private List<Credential> read;

        Entry(KeyFiles files, LongSupplier nanos) throws IOException {
            this.files = files;
            this.watched =
                    new WatchedFiles(
                            Arrays.asList(files.certificates(), files.key(), files.passphrase()),
                            nanos);
            this.read = files.read();
        }

        /// @return whether there is something new to use
        boolean look() {
            boolean isNew = watched.look(() -> read = files.read());
            if (isNew) {
                LOG.log(
                        INFO,
                        "New connections use the new certificate in {0}",
                        files.certificates());
            }
            return isNew;
        }
    }

    private final TlsSettings settings;
    private final LongSupplier nanos;
    private final Executor threads;
    private final List<Entry> entries = new ArrayList<>(); // under the lock
    private final WatchedFiles authorities; // of clients, and their lists; under the lock
    private final Throttle looks;
    private final CredentialCheck.Daily check;
    private volatile TlsProvider present;

    /// @param nanos a clock
    /// @param threads looks at the files
    WatchedTls(TlsSettings settings, LongSupplier nanos, Executor threads) throws IOException {
        this(settings, nanos, threads, new CredentialCheck.Daily());
    }

    /// @param check tells of what is out of date
    WatchedTls(
            TlsSettings settings, LongSupplier nanos, Executor threads, CredentialCheck.Daily check)
            throws IOException {
        this.check = check;
        this.settings = settings;
        this.nanos = nanos;
        this.threads = threads;
        for (KeyFiles files : settings.keys()) {
            entries.add(new Entry(files, nanos));
        }
        this.authorities = new WatchedFiles(settings.clients().files(), nanos);
        this.looks = new Throttle(WatchedFiles.LOOK_NANOS, nanos.getAsLong());
        this.present = made();
        check.look(nanos.getAsLong(), credentials(), settings.clients());
    }

    /// Reads the files of the settings.
    ///
    /// @throws IOException if these cannot be used; the message says which file, what is wrong and
    ///     what would be right
    public static WatchedTls of(TlsSettings settings) throws IOException {
        return new WatchedTls(settings, System::nanoTime, WatchedFiles.THREADS);
    }

    private TlsProvider made() throws IOException {
        return settings.provider(credentials());
    }

    private List<Credential> credentials() {
        return entries.stream().flatMap(entry -> entry.read.stream()).toList();
    }

    @Override
    public SSLEngine engine(SocketAddress peer) {
        if (looks.pass(nanos.getAsLong())) {
            threads.execute(this::look);
        }
        return present.engine(peer);
    }

    /// Reads what has changed. Tickets of the former keys are not accepted any more.
    @Override
    public synchronized boolean look() {
        boolean changed = false;
        for (Entry entry : entries) {
            changed |= entry.look();
        }
        boolean isNew = authorities.look(changed, () -> present = made());
        check.look(nanos.getAsLong(), credentials(), settings.clients());
        return isNew;
    }
}
