package dev.serval.acme;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import dev.serval.handler.Handler;
import dev.serval.tls.Credential;
import dev.serval.tls.IssuedKeys;
import dev.serval.tls.IssuedTls;
import dev.serval.tls.TlsProvider;
import dev.serval.tls.TlsSettings;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Gets certificates for host names, renews them, and serves them. All state is in a folder, so several
/// servers may use the same one: only one of them orders at a time, and the others find what it got
/// within a minute. Any thread.
///
/// Legal order: [#hosts], [#tls] and [#before] for the listeners, then [#start], and [#close] at the end.
public final class AutomaticCertificates implements AutoCloseable {
    /// The longest pause between two looks at the folder, which another server may have changed.
    static final Duration LOOK = Duration.ofMinutes(1);

    /// The pause while another server orders.
    static final Duration BUSY = Duration.ofSeconds(5);

    private static final System.Logger LOG =
            System.getLogger(AutomaticCertificates.class.getName());

    private final CertificateFolder folder;
    private final Issuer issuer;
    private final RenewalSchedule schedule;
    private final InstantSource clock;
    private final Map<TlsSettings, IssuedTls> listeners = new HashMap<>(); // under this lock
    private final List<Credential> challenges = new ArrayList<>(); // under this lock
    private volatile Map<String, ManagedHost> hosts = Map.of();
    private volatile boolean closed;
    private @Nullable Thread thread; // under this lock

    /// Makes the issuer of a folder.
    @FunctionalInterface
    interface IssuerOf {
        Issuer of(CertificateFolder folder, ChallengeKeys keys);
    }

    AutomaticCertificates(
            CertificateFolder folder,
            IssuerOf issuer,
            RenewalSchedule schedule,
            InstantSource clock) {
        this.folder = folder;
        this.issuer = issuer.of(folder, new Challenges());
        this.schedule = schedule;
        this.clock = clock;
    }

    /// Opens the folder. Nothing is ordered yet.
    ///
    /// @throws IOException if the folder cannot be used
    public static AutomaticCertificates open(AcmeSettings settings) throws IOException {
        return open(settings, InstantSource.system());
    }

    static AutomaticCertificates open(AcmeSettings settings, InstantSource clock)
            throws IOException {
        return new AutomaticCertificates(
                CertificateFolder.open(settings.folder(), settings.directory()),
                (folder, keys) -> new AcmeIssuer(settings, folder, keys),
                new RenewalSchedule(new SecureRandom()),
                clock);
    }

    /// Sets the host names that need certificates. Those that were there before keep theirs.
    ///
    /// @param names in lower case, without wildcards
    public synchronized void hosts(Set<String> names) {
        Map<String, ManagedHost> next = new LinkedHashMap<>();
        for (String name : names) {
            @Nullable ManagedHost former = hosts.get(name);
            ManagedHost host = former == null ? new ManagedHost(name, folder, schedule) : former;
            if (former == null) {
                boolean _ = read(host); // so that listeners have its certificate from the start
            }
            next.put(name, host);
        }
        boolean changed = !next.keySet().equals(hosts.keySet());
        hosts = next;
        serve(changed); // other keys end the sessions of clients
        @Nullable Thread running = thread;
        if (running != null) {
            LockSupport.unpark(running);
        }
    }

    /// Returns what a listener needs. The same settings get the same one.
    ///
    /// @throws IOException if the authorities of clients cannot be read
    public synchronized TlsProvider tls(TlsSettings settings) throws IOException {
        @Nullable IssuedTls present = listeners.get(settings);
        if (present != null) {
            return present;
        }
        IssuedTls made = new IssuedTls(settings);
        made.use(keys());
        listeners.put(settings, made);
        return made;
    }

    /// Returns a handler that answers the authority, and has `next` handle everything else.
    public Handler before(Handler next) {
        return new ChallengeAnswers(folder, next);
    }

    /// Returns how each host is.
    public List<HostState> states() {
        return hosts.values().stream().map(ManagedHost::state).toList();
    }

    /// Begins to order and to renew, on a thread of its own.
    public synchronized void start() {
        thread = Thread.ofPlatform().name("serval-acme").daemon().start(this::run);
    }

    private void run() {
        while (!closed) {
            Instant next = clock.instant().plus(LOOK);
            try {
                next = round();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException | Error e) {
                LOG.log(ERROR, "The look at the certificates threw an exception", e);
            }
            Duration pause = Duration.between(clock.instant(), next);
            if (!closed && pause.isPositive()) {
                LockSupport.parkNanos(this, pause.toNanos());
            }
        }
    }

    /// Looks at the folder, and orders what is due.
    ///
    /// @return when to look again
    Instant round() throws InterruptedException {
        Map<String, ManagedHost> present = hosts;
        boolean changed = readAll(present);
        serve(changed);
        boolean free = true;
        for (ManagedHost host : present.values()) {
            if (free && isDue(host)) {
                free = order(host);
            }
        }
        Instant now = clock.instant();
        Instant next = now.plus(free ? LOOK : BUSY);
        for (ManagedHost host : present.values()) {
            if (free && host.due().isBefore(next)) {
                next = host.due();
            }
        }
        return next;
    }

    private boolean isDue(ManagedHost host) {
        return !host.due().isAfter(clock.instant());
    }

    private boolean readAll(Map<String, ManagedHost> present) {
        boolean changed = false;
        for (ManagedHost host : present.values()) {
            changed |= read(host);
        }
        return changed;
    }

    private boolean read(ManagedHost host) {
        try {
            return host.read(clock.instant());
        } catch (IOException e) {
            LOG.log(WARNING, "The folder of certificates cannot be read: " + e);
            return false;
        }
    }

    /// Orders a certificate unless another server has got it meanwhile.
    ///
    /// @return false if another server orders now, or the folder cannot be used
    private boolean order(ManagedHost host) throws InterruptedException {
        try (CertificateFolder.@Nullable Lock lock = folder.tryLock()) {
            if (lock == null) {
                return false;
            }
            boolean changed = read(host);
            if (isDue(host)) {
                changed |= host.order(issuer, clock.instant());
            }
            serve(changed);
            return true;
        } catch (IOException e) {
            LOG.log(WARNING, "The folder of certificates cannot be locked: " + e);
            return false;
        }
    }

    // What listeners serve

    private synchronized void serve(boolean changed) {
        if (!changed) {
            return;
        }
        IssuedKeys keys = keys();
        for (IssuedTls each : listeners.values()) {
            try {
                each.use(keys);
            } catch (IOException e) {
                LOG.log(WARNING, e.getMessage() + ". What was served before stays.");
            }
        }
    }

    private IssuedKeys keys() {
        List<Credential> credentials = new ArrayList<>();
        for (ManagedHost host : hosts.values()) {
            @Nullable Credential one = host.credential();
            if (one != null) {
                credentials.add(one);
            }
        }
        return new IssuedKeys(credentials, new LinkedHashSet<>(hosts.keySet()), challenges);
    }

    /// Shows the authority what it asks for.
    private final class Challenges implements ChallengeKeys {
        @Override
        public void offer(Credential credential) {
            show(List.of(credential));
        }

        @Override
        public void withdraw() {
            show(List.of());
        }

        private void show(List<Credential> shown) {
            synchronized (AutomaticCertificates.this) {
                challenges.clear();
                challenges.addAll(shown);
                serve(true);
            }
        }
    }

    /// Ends the thread. What is being ordered is given up.
    @Override
    public void close() {
        closed = true;
        @Nullable Thread running;
        synchronized (this) {
            running = thread;
        }
        if (running != null) {
            running.interrupt();
        }
    }
}
