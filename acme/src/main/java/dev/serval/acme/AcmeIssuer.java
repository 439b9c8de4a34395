package dev.serval.acme;

import dev.serval.tls.Credential;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.shredzone.acme4j.AccountBuilder;
import org.shredzone.acme4j.AcmeJsonResource;
import org.shredzone.acme4j.Authorization;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Order;
import org.shredzone.acme4j.PollableResource;
import org.shredzone.acme4j.Problem;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.Status;
import org.shredzone.acme4j.challenge.Challenge;
import org.shredzone.acme4j.challenge.Http01Challenge;
import org.shredzone.acme4j.challenge.TlsAlpn01Challenge;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.exception.AcmeRateLimitedException;

/// Orders certificates by acme4j. Used by one thread, which waits for the authority.
final class AcmeIssuer implements Issuer {
    /// The longest wait for a check, and for a certificate.
    static final Duration LONGEST_WAIT = Duration.ofMinutes(2);

    /// The longest wait for one answer.
    private static final Duration ANSWER = Duration.ofSeconds(30);

    private static final Duration FIRST_LOOK = Duration.ofMillis(250);
    private static final Duration LATER_LOOK = Duration.ofSeconds(5);
    private static final Duration LATEST_LOOK = Duration.ofSeconds(30);

    private final AcmeSettings settings;
    private final CertificateFolder folder;
    private final ChallengeKeys keys;
    private @Nullable Login login;

    /// @param keys shows what a check by TLS-ALPN needs
    AcmeIssuer(AcmeSettings settings, CertificateFolder folder, ChallengeKeys keys) {
        this.settings = settings;
        this.folder = folder;
        this.keys = keys;
    }

    @Override
    public String issue(String host) throws IOException, InterruptedException {
        try {
            return issued(host);
        } catch (AcmeRateLimitedException e) {
            throw refusal(e, e.getRetryAfter().orElse(null));
        } catch (AcmeException e) {
            if (e.getCause() instanceof IOException lost
                    && lost.getCause() instanceof InterruptedException stop) {
                throw stop; // the server stops: that is no failure
            }
            throw refusal(e, null);
        } catch (RuntimeException e) { // such as acme4j's for a broken answer
            throw new Refused("The authority's answer cannot be read: " + text(e), null, e);
        }
    }

    private String issued(String host) throws AcmeException, IOException, InterruptedException {
        Order order = login().newOrder().domain(host).create();
        for (Authorization each : order.getAuthorizations()) {
            if (each.getStatus() != Status.VALID) {
                prove(host, each);
            }
        }
        Status ready = decided(order, "the order", List.of(Status.READY, Status.VALID));
        KeyPair own = KeyText.make();
        if (ready == Status.READY) {
            order.execute(own);
            Status _ = decided(order, "the certificate", List.of(Status.VALID));
        }
        return KeyText.of(own.getPrivate(), order.getCertificate().getCertificateChain());
    }

    /// Returns the account, which is made at the first use of a folder.
    private Login login() throws AcmeException, IOException {
        @Nullable Login present = login;
        if (present != null) {
            return present;
        }
        Session session = session();
        session.networkSettings().setTimeout(ANSWER);
        session.setLocale(Locale.ENGLISH);
        @Nullable String stored = folder.account();
        KeyPair pair = stored == null ? KeyText.make() : KeyText.read(stored);
        if (stored == null) {
            folder.saveAccount(KeyText.of(pair)); // before the authority knows it
        }
        AccountBuilder account = new AccountBuilder().useKeyPair(pair).agreeToTermsOfService();
        @Nullable String email = settings.email();
        if (email != null) {
            account.addEmail(email);
        }
        AcmeSettings.@Nullable AccountBinding binding = settings.binding();
        if (binding != null) {
            account.withKeyIdentifier(binding.keyId(), binding.key());
        }
        Login made = account.createLogin(session);
        login = made;
        return made;
    }

    private Session session() throws IOException {
        @Nullable Path trusted = settings.authorities();
        return trusted == null
                ? new Session(settings.directory())
                : new Session(settings.directory(), new Authority(trust(trusted)));
    }

    private static SSLContext trust(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int n = 0;
            for (Certificate each :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("authority-" + n++, each);
            }
            TrustManagerFactory factory =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, factory.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    "The authorities in " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    // Challenges

    private void prove(String host, Authorization authorization)
            throws AcmeException, IOException, InterruptedException {
        switch (settings.challenge()) {
            case HTTP_01 -> {
                Http01Challenge challenge = offered(authorization, Http01Challenge.class);
                folder.saveAnswer(challenge.getToken(), challenge.getAuthorization());
                try {
                    check(host, authorization, challenge);
                } finally {
                    folder.removeAnswer(challenge.getToken());
                }
            }
            case TLS_ALPN_01 -> {
                TlsAlpn01Challenge challenge = offered(authorization, TlsAlpn01Challenge.class);
                KeyPair pair = KeyText.makeForChallenge();
                X509Certificate shown =
                        challenge.createCertificate(pair, authorization.getIdentifier());
                keys.offer(new Credential("a challenge", pair.getPrivate(), List.of(shown)));
                try {
                    check(host, authorization, challenge);
                } finally {
                    keys.withdraw();
                }
            }
        }
    }

    private <T extends Challenge> T offered(Authorization authorization, Class<T> kind)
            throws Refused {
        Optional<T> found = authorization.findChallenge(kind);
        if (found.isEmpty()) {
            throw new Refused(
                    "The authority does not offer the challenge "
                            + settings.challenge().text()
                            + ": choose another",
                    null,
                    null);
        }
        return found.get();
    }

    private void check(String host, Authorization authorization, Challenge challenge)
            throws AcmeException, IOException, InterruptedException {
        challenge.trigger();
        Status end = ended(authorization, List.of(Status.VALID));
        if (end != Status.VALID) {
            var _ = challenge.fetch();
            String why = challenge.getError().map(Problem::toString).orElse("it does not say why");
            throw new Refused(
                    "The check of "
                            + host
                            + " by "
                            + settings.challenge().text()
                            + " failed: "
                            + why,
                    null,
                    null);
        }
    }

    private static Status decided(Order order, String what, List<Status> wanted)
            throws AcmeException, IOException, InterruptedException {
        Status end = ended(order, wanted);
        if (!wanted.contains(end)) {
            String why = order.getError().map(Problem::toString).orElse("it does not say why");
            throw new Refused("The authority refuses " + what + ": " + why, null, null);
        }
        return end;
    }

    /// Waits until the authority has decided. It may say when to look again (RFC 8555 §7.5.1).
    private static <T extends AcmeJsonResource & PollableResource> Status ended(
            T resource, List<Status> wanted)
            throws AcmeException, IOException, InterruptedException {
        long end = System.nanoTime() + LONGEST_WAIT.toNanos();
        Duration pause = FIRST_LOOK;
        Optional<Instant> later = resource.fetch();
        while (!wanted.contains(resource.getStatus()) && resource.getStatus() != Status.INVALID) {
            if (System.nanoTime() - end > 0) {
                throw new Refused(
                        "The authority has not decided within " + LONGEST_WAIT.toMinutes() + " min",
                        null,
                        null);
            }
            Duration asked = later.map(at -> Duration.between(Instant.now(), at)).orElse(pause);
            TimeUnit.MILLISECONDS.sleep(atMost(LATEST_LOOK, longer(pause, asked)).toMillis());
            pause = atMost(LATER_LOOK, pause.multipliedBy(2));
            later = resource.fetch();
        }
        return resource.getStatus();
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private static Duration atMost(Duration bound, Duration time) {
        return time.compareTo(bound) < 0 ? time : bound;
    }

    // Failures

    private Refused refusal(AcmeException e, @Nullable Instant notBefore) {
        login = null; // the account may have been made anew, or the authority have moved
        @Nullable Throwable cause = e.getCause();
        String why =
                cause instanceof IOException network
                        ? settings.directory() + " cannot be reached: " + unreachable(network)
                        : "The authority refuses: " + text(e);
        return new Refused(why, notBefore, e);
    }

    /// Returns why a connection failed. The client of the JDK has no message for the most frequent reasons.
    static String unreachable(IOException network) {
        if (!(network instanceof ConnectException) || network.getMessage() != null) {
            return text(network);
        }
        @Nullable Throwable cause = network.getCause();
        while (cause != null) {
            if (cause instanceof UnresolvedAddressException) {
                return "its name has no address";
            }
            cause = cause.getCause();
        }
        return "no server accepts connections there";
    }

    private static String text(Throwable e) {
        @Nullable String message = e.getMessage();
        @Nullable Throwable cause = e.getCause();
        if (message != null && !message.isEmpty()) {
            return message;
        }
        return cause == null ? e.getClass().getSimpleName() : text(cause);
    }
}
