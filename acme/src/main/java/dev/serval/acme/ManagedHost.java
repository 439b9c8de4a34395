package dev.serval.acme;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.serval.tls.CertificateNames;
import dev.serval.tls.Credential;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One host name: what the folder has for it, and when to do something about it. Owned by the thread of
/// [AutomaticCertificates]; any thread may call [#state].
final class ManagedHost {
    private static final System.Logger LOG = System.getLogger(ManagedHost.class.getName());

    private final String name;
    private final CertificateFolder folder;
    private final RenewalSchedule schedule;
    private String stamp = ""; // of the file that was read last
    private String refused = ""; // the stamp of a file that could not be read
    private volatile @Nullable Credential credential;
    private @Nullable Failure failure;
    private @Nullable Failure unsaved; // the last failure, if the folder could not take it
    private Instant renewal = Instant.MIN;
    private Instant begun = Instant.MIN; // when this server first looked
    private Instant ordered = Instant.MIN; // by this server; MIN: not since its start
    private long issued;
    private long failed;
    private volatile HostState state;

    ManagedHost(String name, CertificateFolder folder, RenewalSchedule schedule) {
        this.name = name;
        this.folder = folder;
        this.schedule = schedule;
        this.state = new HostState(name, HostState.Phase.AWAITED, null, Instant.MIN, 0, null, 0, 0);
    }

    String name() {
        return name;
    }

    /// Returns what was read last; null if there is none.
    @Nullable Credential credential() {
        return credential;
    }

    /// Returns how it is.
    HostState state() {
        return state;
    }

    /// Reads what the folder has, which another server may have changed.
    ///
    /// @return whether there is another certificate
    boolean read(Instant now) throws IOException {
        begun = begun.equals(Instant.MIN) ? now : begun;
        failure = latest(folder.failure(name), unsaved);
        forgetTheFuture(now);
        String found = folder.certificateStamp(name);
        boolean changed = !found.equals(stamp) && use(found);
        publish(now, false);
        return changed;
    }

    /// Returns the failure that counts. A full disk does not shorten the pauses: an authority would
    /// refuse this host for days.
    private static @Nullable Failure latest(@Nullable Failure saved, @Nullable Failure own) {
        if (saved == null || own == null) {
            return own == null ? saved : own;
        }
        return saved.at().isAfter(own.at()) ? saved : own;
    }

    /// Forgets an attempt that was made while a clock was wrong, and which would else forbid the next
    /// ones until its time has come. The clocks of other servers of the folder may be a little ahead.
    private void forgetTheFuture(Instant now) {
        Instant latest = now.plus(RenewalSchedule.FIRST_PAUSE);
        if (failure != null && failure.at().isAfter(latest)) {
            failure = null;
        }
        if (ordered.isAfter(latest)) {
            ordered = Instant.MIN;
        }
    }

    /// Reads a file that has changed. One that cannot be read is tried again in the next round, because what
    /// is in the way may pass.
    private boolean use(String found) {
        if (found.isEmpty()) {
            return false; // what was read before stays
        }
        try {
            Credential read = folder.credential(name);
            renewal =
                    schedule.renewal(
                            read.certificate().getNotBefore().toInstant(),
                            read.certificate().getNotAfter().toInstant());
            credential = read;
            stamp = found;
            refused = "";
            unsaved = null;
            LOG.log(
                    INFO,
                    "New connections to {0} use the certificate that is valid until {1}; it is"
                            + " renewed at {2}",
                    name,
                    read.certificate().getNotAfter().toInstant(),
                    renewal);
            return true;
        } catch (IOException e) {
            if (!found.equals(refused)) {
                LOG.log(WARNING, e.getMessage() + ". What was read before stays.");
            }
            refused = found;
            return false;
        }
    }

    /// Returns when the next attempt may begin. For a failure from before the start of this server, the
    /// first pause is enough, because its cause may have been mended, unless the authority has named a
    /// later time. An authority whose certificates are old at once is not asked without a pause either.
    Instant due() {
        @Nullable Failure last = failure;
        Instant wanted =
                later(
                        credential == null ? Instant.MIN : renewal,
                        ordered.plus(RenewalSchedule.FIRST_PAUSE));
        if (last == null) {
            return wanted;
        }
        Instant first = last.at().plus(RenewalSchedule.FIRST_PAUSE);
        boolean fresh =
                ordered.equals(Instant.MIN)
                        && !last.at().isAfter(begun)
                        && !last.retry()
                                .isAfter(RenewalSchedule.latestRetry(last.at(), last.count()));
        return later(wanted, fresh && first.isBefore(last.retry()) ? first : last.retry());
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /// Orders a certificate, under the lock of the folder.
    ///
    /// @return whether there is another certificate
    boolean order(Issuer issuer, Instant now) throws InterruptedException {
        ordered = now;
        publish(now, true);
        LOG.log(INFO, "Ordering a certificate for {0}", name);
        try {
            folder.saveCertificate(name, usable(issuer.issue(name), now));
            issued++;
            unsaved = null;
            folder.removeFailure(name);
            return read(now);
        } catch (IOException e) {
            failed(e, now);
            return false;
        } finally {
            publish(now, false);
        }
    }

    /// Returns what an authority has issued, with its chain in order. It replaces the former certificate
    /// only if a server can use it: that one may still be good.
    ///
    /// @throws IOException if clients would not accept it; the message says why
    private String usable(String pem, Instant now) throws IOException {
        Credential credential = Credential.issued("the authority's answer", pem);
        X509Certificate certificate = credential.certificate();
        List<String> names = CertificateNames.of(certificate);
        if (!CertificateNames.cover(names, name)) {
            throw new IOException("The authority has issued a certificate for " + names);
        }
        Instant end = certificate.getNotAfter().toInstant();
        if (now.isAfter(end)) {
            throw new IOException(
                    "The authority has issued a certificate that expired at "
                            + end
                            + ": check the clock");
        }
        return KeyText.of(credential.key(), credential.chain());
    }

    private void failed(IOException e, Instant now) {
        failed++;
        int count = (failure == null ? 0 : failure.count()) + 1;
        Instant retry = schedule.retry(now, count);
        @Nullable Instant allowed =
                e instanceof Issuer.Refused refused ? refused.notBefore() : null;
        if (allowed != null) {
            retry = later(retry, allowed);
        }
        String why = e.getMessage() == null ? e.toString() : e.getMessage();
        Failure last = new Failure(count, now, retry, why);
        failure = last;
        LOG.log(
                WARNING,
                "There is no new certificate for {0}: {1}. The next attempt is at {2}. Until then, {3}.",
                name,
                why,
                retry,
                credential == null
                        ? "TLS handshakes for it are refused"
                        : "the certificate that is valid until "
                                + credential.certificate().getNotAfter().toInstant()
                                + " stays");
        try {
            folder.saveFailure(name, last);
            unsaved = null;
        } catch (IOException full) {
            unsaved = last;
            LOG.log(WARNING, "The failure cannot be noted in the folder: " + full.getMessage());
        }
    }

    private void publish(Instant now, boolean ordering) {
        @Nullable Credential served = credential;
        @Nullable Failure last = failure;
        @Nullable Instant end =
                served == null ? null : served.certificate().getNotAfter().toInstant();
        state =
                new HostState(
                        name,
                        phase(end, now, ordering),
                        end,
                        later(due(), now),
                        last == null ? 0 : last.count(),
                        last == null ? null : last.why(),
                        issued,
                        failed);
    }

    private static HostState.Phase phase(@Nullable Instant end, Instant now, boolean ordering) {
        if (end == null) {
            return ordering ? HostState.Phase.ORDERED : HostState.Phase.AWAITED;
        }
        if (now.isAfter(end)) {
            return HostState.Phase.EXPIRED;
        }
        return ordering ? HostState.Phase.RENEWED : HostState.Phase.SERVED;
    }
}
