package dev.serval.tls;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/// Serves the keys of files, and reads those again that have changed, and the authorities
/// of clients with their lists of revoked certificates.
/// New connections get what has been read last; open ones are not affected. A pair of files that
/// cannot be used leaves what was read from it before, and is logged. Any thread.
///
/// A connection that begins causes a look at the files, at most once a second. Another thread looks, so
/// that connection still gets what was there before.
public final class WatchedTls implements TlsProvider {
    static final long LOOK_NANOS = 1_000_000_000;

    private static final System.Logger LOG = System.getLogger(WatchedTls.class.getName());

    /// The files of one key, and what was read from them.
    private static final class Entry {
        private final KeyFiles files;
        private List<FileStamp> stamps;
        private List<Credential> read;

        Entry(KeyFiles files) throws IOException {
            this.files = files;
            this.stamps = stamps(files);
            this.read = files.read();
        }

        private static List<FileStamp> stamps(KeyFiles files) {
            return FileStamp.of(
                    Arrays.asList(files.certificates(), files.key(), files.passphrase()));
        }

        /// @return whether there is something new to use
        boolean look() {
            List<FileStamp> now = stamps(files);
            if (now.equals(stamps)) {
                return false;
            }
            stamps = now; // the same files are read only once, also if they are wrong
            try {
                read = files.read();
                LOG.log(
                        INFO,
                        "New connections use the new certificate in {0}",
                        files.certificates());
                return true;
            } catch (IOException e) {
                LOG.log(WARNING, e.getMessage() + ". The certificate that was read before stays.");
                return false;
            }
        }
    }

    private final TlsSettings settings;
    private final LongSupplier nanos;
    private final Executor threads;
    private final List<Entry> entries = new ArrayList<>(); // under the lock
    private List<FileStamp> authorities; // of clients, and their lists; under the lock
    private final AtomicLong nextLookNanos;
    private volatile TlsProvider present;

    /// @param nanos a clock
    /// @param threads looks at the files
    WatchedTls(TlsSettings settings, LongSupplier nanos, Executor threads) throws IOException {
        this.settings = settings;
        this.nanos = nanos;
        this.threads = threads;
        for (KeyFiles files : settings.keys()) {
            entries.add(new Entry(files));
        }
        this.authorities = authorities();
        this.nextLookNanos = new AtomicLong(nanos.getAsLong() + LOOK_NANOS);
        this.present = made();
    }

    /// Reads the files of the settings.
    ///
    /// @throws IOException if these cannot be used; the message says which file, what is wrong and
    ///     what would be right
    public static WatchedTls of(TlsSettings settings) throws IOException {
        return new WatchedTls(
                settings,
                System::nanoTime,
                work -> Thread.ofVirtual().name("serval-tls-files").start(work));
    }

    private TlsProvider made() throws IOException {
        List<Credential> all = new ArrayList<>();
        entries.forEach(entry -> all.addAll(entry.read));
        return settings.provider(all);
    }

    private List<FileStamp> authorities() {
        List<@Nullable Path> files = new ArrayList<>(settings.clients().revoked());
        files.add(settings.clients().trusted());
        return FileStamp.of(files);
    }

    @Override
    public SSLEngine engine(SocketAddress peer) {
        long due = nextLookNanos.get();
        long now = nanos.getAsLong();
        if (now - due >= 0 && nextLookNanos.compareAndSet(due, now + LOOK_NANOS)) {
            threads.execute(this::look);
        }
        return present.engine(peer);
    }

    /// Reads what has changed. Tickets of the former keys are not accepted any more.
    private synchronized void look() {
        List<FileStamp> now = authorities();
        boolean changed = !now.equals(authorities);
        authorities = now;
        for (Entry entry : entries) {
            changed |= entry.look();
        }
        if (changed) {
            try {
                present = made();
            } catch (IOException e) {
                LOG.log(WARNING, e.getMessage() + ". What was read before stays.");
            }
        }
    }
}
