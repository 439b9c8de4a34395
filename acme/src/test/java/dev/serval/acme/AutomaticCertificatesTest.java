package dev.serval.acme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.acme.HostState.Phase;
import dev.serval.testkit.Await;
import dev.serval.testkit.TestKeys;
import dev.serval.tls.ClientCertificates;
import dev.serval.tls.Credential;
import dev.serval.tls.IssuedKeys;
import dev.serval.tls.JdkTls;
import dev.serval.tls.TlsProfile;
import dev.serval.tls.TlsSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests when certificates are ordered, with an authority that the test plays and a clock that it sets.
@Timeout(60)
final class AutomaticCertificatesTest {
    private static final URI URL = URI.create("https://acme.example/dir");
    private static final String HOST = "a.test";
    private static final TestKeys FIRST = TestKeys.make("EC", "dns:a.test,dns:b.test");
    private static final TestKeys SECOND = TestKeys.make("EC", "dns:*.test");
    private static final TestKeys OTHER = TestKeys.make("EC", "dns:other.test");
    private static final Duration LIFE = Duration.ofDays(2);

    private final SetTime time = new SetTime();
    private final Path path;
    private final CertificateFolder folder;
    private final List<String> ordered = new ArrayList<>();
    private final Deque<Object> answers = new ArrayDeque<>(); // TestKeys, a text, or an IOException
    private final AutomaticCertificates certificates;

    AutomaticCertificatesTest(@TempDir Path path) throws IOException {
        this.path = path;
        this.folder = CertificateFolder.open(path, URL);
        this.certificates = server();
    }

    private AutomaticCertificates server() throws IOException {
        AutomaticCertificates made =
                new AutomaticCertificates(
                        CertificateFolder.open(path, URL),
                        (_, _) -> this::issue,
                        new RenewalSchedule(() -> 0),
                        time);
        made.hosts(Set.of(HOST));
        return made;
    }

    private String issue(String host) throws IOException {
        ordered.add(host);
        Object answer = answers.remove();
        if (answer instanceof IOException e) {
            throw e;
        }
        return answer instanceof TestKeys keys ? pem(keys, keys) : (String) answer;
    }

    private static String pem(TestKeys key, TestKeys certificate) throws IOException {
        return Files.readString(key.key()) + Files.readString(certificate.certificate());
    }

    private HostState state() {
        return certificates.states().getFirst();
    }

    @Test
    void ordersWhatIsMissing() throws Exception {
        assertThat(state().phase()).isEqualTo(Phase.AWAITED);
        assertThat(state().validUntil()).isNull();
        answers.add(FIRST);
        var _ = certificates.round();
        assertThat(ordered).containsExactly(HOST);
        assertThat(state().phase()).isEqualTo(Phase.SERVED);
        assertThat(state().issued()).isOne();
        assertThat(state().validUntil()).isAfter(time.instant());
    }

    @Test
    void renewsAfterTwoThirdsOfTheLifeAndNotBefore() throws Exception {
        answers.add(FIRST);
        var _ = certificates.round();
        Instant renewal = state().nextAttempt();
        assertThat(Duration.between(state().validUntil(), renewal).abs())
                .isCloseTo(LIFE.dividedBy(3), Duration.ofMinutes(1));
        time.set(renewal.minusMillis(1));
        assertThat(certificates.round()).isEqualTo(renewal);
        assertThat(ordered).hasSize(1);
        time.set(renewal);
        answers.add(SECOND);
        var _ = certificates.round();
        assertThat(ordered).hasSize(2);
        assertThat(state().issued()).isEqualTo(2);
    }

    @Test
    void certificateOfTheLastStartIsUsedAtOnce() throws Exception {
        answers.add(FIRST);
        var _ = certificates.round();
        AutomaticCertificates next = server();
        assertThat(next.states().getFirst().phase()).isEqualTo(Phase.SERVED);
        next.round();
        assertThat(ordered).hasSize(1);
    }

    @Test
    void failuresAreRepeatedAfterLongerPauses() throws Exception {
        answers.add(new IOException("down"));
        var _ = certificates.round();
        assertThat(state().phase()).isEqualTo(Phase.AWAITED);
        assertThat(state().why()).isEqualTo("down");
        assertThat(state().failures()).isOne();
        assertThat(state().failed()).isOne();
        assertThat(state().nextAttempt())
                .isEqualTo(time.instant().plus(RenewalSchedule.FIRST_PAUSE));
        time.pass(RenewalSchedule.FIRST_PAUSE.minusMillis(1));
        var _ = certificates.round();
        assertThat(ordered).hasSize(1);
        time.pass(Duration.ofMillis(1));
        answers.add(new IOException("still down"));
        var _ = certificates.round();
        assertThat(state().failures()).isEqualTo(2);
        assertThat(state().nextAttempt())
                .isEqualTo(time.instant().plus(RenewalSchedule.FIRST_PAUSE.multipliedBy(2)));
        time.set(state().nextAttempt());
        answers.add(FIRST);
        var _ = certificates.round();
        assertThat(state().failures()).isZero();
        assertThat(state().why()).isNull();
        assertThat(folder.failure(HOST)).isNull();
    }

    /// Such as on a full disk. An authority that is asked too often refuses for days.
    @Test
    void failureThatCannotBeSavedCountsAllTheSame() throws Exception {
        try (Stream<Path> all = Files.walk(path)) {
            for (Path each : all.filter(file -> file.endsWith("failures")).toList()) {
                Files.delete(each);
            }
        }
        Instant allowed = time.instant().plus(Duration.ofDays(1));
        answers.add(new Issuer.Refused("too many", allowed, null));
        var _ = certificates.round();
        time.pass(RenewalSchedule.LONGEST_PAUSE);
        var _ = certificates.round();
        assertThat(ordered).hasSize(1);
        assertThat(state().nextAttempt()).isEqualTo(allowed);
        time.set(allowed);
        answers.add(new IOException("down"));
        var _ = certificates.round();
        assertThat(state().failures()).isEqualTo(2);
    }

    @Test
    void oldCertificateStaysWhileItsRenewalFails() throws Exception {
        answers.add(FIRST);
        var _ = certificates.round();
        time.set(state().nextAttempt());
        answers.add(new IOException("down"));
        var _ = certificates.round();
        assertThat(state().phase()).isEqualTo(Phase.SERVED);
        assertThat(state().failures()).isOne();
        time.set(Objects.requireNonNull(state().validUntil()).plusSeconds(1));
        answers.add(new IOException("down"));
        var _ = certificates.round();
        assertThat(state().phase()).isEqualTo(Phase.EXPIRED);
    }

    @Test
    void authorityMayAskForALongerPause() throws Exception {
        Instant allowed = time.instant().plus(Duration.ofDays(1));
        answers.add(new Issuer.Refused("too many", allowed, null));
        var _ = certificates.round();
        assertThat(state().nextAttempt()).isEqualTo(allowed);
    }

    @Test
    void authorityMayNotAskForAShorterPause() throws Exception {
        answers.add(new Issuer.Refused("too many", time.instant(), null));
        var _ = certificates.round();
        assertThat(state().nextAttempt())
                .isEqualTo(time.instant().plus(RenewalSchedule.FIRST_PAUSE));
    }

    /// Its cause may have been mended. Starts one after the other do not get around the first pause.
    @Test
    void startWaitsForTheFirstPauseOnly() throws Exception {
        Instant failed = time.instant();
        folder.saveFailure(
                HOST, new Failure(9, failed, failed.plus(RenewalSchedule.LONGEST_PAUSE), "down"));
        var _ = server().round();
        assertThat(ordered).isEmpty();
        time.pass(RenewalSchedule.FIRST_PAUSE);
        answers.add(new IOException("down"));
        AutomaticCertificates started = server();
        var _ = started.round();
        assertThat(ordered).hasSize(1);
        assertThat(started.states().getFirst().failures()).isEqualTo(10);
        time.pass(RenewalSchedule.FIRST_PAUSE);
        var _ = started.round();
        assertThat(ordered).hasSize(1);
    }

    @Test
    void startDoesNotShortenThePauseOfTheAuthority() throws Exception {
        Instant allowed = time.instant().plus(Duration.ofMinutes(30));
        answers.add(new Issuer.Refused("too many", allowed, null));
        var _ = certificates.round();
        time.pass(RenewalSchedule.FIRST_PAUSE);
        AutomaticCertificates started = server();
        var _ = started.round();
        assertThat(ordered).hasSize(1);
        assertThat(started.states().getFirst().nextAttempt()).isEqualTo(allowed);
    }

    /// Nothing has been mended by a start since then.
    @Test
    void failureOfAnotherServerHoldsForOneThatRuns() throws Exception {
        AutomaticCertificates other = server();
        time.pass(Duration.ofHours(1));
        Instant retry = time.instant().plus(RenewalSchedule.LONGEST_PAUSE);
        folder.saveFailure(HOST, new Failure(9, time.instant(), retry, "down"));
        time.pass(RenewalSchedule.FIRST_PAUSE);
        var _ = other.round();
        assertThat(ordered).isEmpty();
        assertThat(other.states().getFirst().nextAttempt()).isEqualTo(retry);
    }

    /// Such as with a wrong clock.
    @Test
    void certificateThatIsOldAtOnceIsNotOrderedAgainWithoutAPause() throws Exception {
        time.pass(LIFE.multipliedBy(3).dividedBy(4));
        answers.add(FIRST);
        var _ = certificates.round();
        var _ = certificates.round();
        assertThat(ordered).hasSize(1);
        assertThat(certificates.round()).isAfter(time.instant());
        time.pass(RenewalSchedule.FIRST_PAUSE);
        answers.add(SECOND);
        var _ = certificates.round();
        assertThat(ordered).hasSize(2);
    }

    /// Such as a start before the clock was set: then the authority's own certificate seems to have
    /// expired. The next attempt must not wait until that time has come.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void attemptOfAWrongClockIsForgottenOnceTheClockIsRight(boolean startsAgain) throws Exception {
        Instant right = time.instant();
        time.pass(Duration.ofDays(400));
        answers.add(new IOException("the certificate has expired"));
        var _ = certificates.round();
        assertThat(state().failures()).isOne();
        time.set(right);
        answers.add(FIRST);
        AutomaticCertificates later = startsAgain ? server() : certificates;
        var _ = later.round();
        assertThat(later.states().getFirst().phase()).isEqualTo(Phase.SERVED);
        assertThat(folder.failure(HOST)).isNull();
    }

    @Test
    void failureOfAServerWhoseClockIsALittleAheadCounts() throws Exception {
        Instant ahead = time.instant().plusSeconds(60);
        folder.saveFailure(
                HOST, new Failure(1, ahead, ahead.plus(RenewalSchedule.FIRST_PAUSE), "down"));
        var _ = certificates.round();
        assertThat(ordered).isEmpty();
    }

    @Test
    void serverWithoutTheLockOrdersNothing() throws Exception {
        try (CertificateFolder.Lock lock = Objects.requireNonNull(folder.tryLock())) {
            assertThat(lock).isNotNull();
            assertThat(certificates.round())
                    .isEqualTo(time.instant().plus(AutomaticCertificates.BUSY));
        }
        assertThat(ordered).isEmpty();
        answers.add(FIRST);
        var _ = certificates.round();
        assertThat(ordered).hasSize(1);
    }

    @Test
    void serverUsesWhatAnotherOneGot() throws Exception {
        AutomaticCertificates other = server();
        answers.add(FIRST);
        var _ = other.round();
        var _ = certificates.round();
        assertThat(ordered).hasSize(1);
        assertThat(state().phase()).isEqualTo(Phase.SERVED);
        assertThat(state().issued()).isZero();
    }

    /// The other one ends its order between the look at the folder and the lock.
    @Test
    void serverLooksAgainUnderTheLock() throws Exception {
        Set<String> two = new LinkedHashSet<>(List.of("b.test", HOST));
        certificates.hosts(two);
        answers.add(new IOException("down"));
        AutomaticCertificates meanwhile =
                new AutomaticCertificates(
                        CertificateFolder.open(path, URL),
                        (_, _) ->
                                host -> {
                                    // What another server does while this one orders.
                                    folder.saveCertificate(
                                            HOST,
                                            Files.readString(FIRST.key())
                                                    + Files.readString(FIRST.certificate()));
                                    return issue(host);
                                },
                        new RenewalSchedule(() -> 0),
                        time);
        meanwhile.hosts(two);
        var _ = meanwhile.round();
        assertThat(ordered).containsExactly("b.test");
    }

    private static List<String> unusable() throws IOException {
        return List.of(
                pem(OTHER, OTHER),
                pem(SECOND, FIRST),
                Files.readString(SECOND.key()),
                Files.readString(SECOND.certificate()),
                pem(SECOND, SECOND).replace("MII", "---"));
    }

    /// One for another host, for another key, without a part, and a text that cannot be read.
    @ParameterizedTest
    @MethodSource("unusable")
    void certificateThatCannotBeUsedIsAFailureAndReplacesNothing(String text) throws Exception {
        answers.add(FIRST);
        var _ = certificates.round();
        String stamp = folder.certificateStamp(HOST);
        time.set(state().nextAttempt());
        for (int i = 1; i <= 2; i++) {
            answers.add(text);
            var _ = certificates.round();
            assertThat(state().phase()).isEqualTo(Phase.SERVED);
            assertThat(state().failures()).isEqualTo(i);
            assertThat(state().issued()).isOne();
            assertThat(state().nextAttempt())
                    .isEqualTo(time.instant().plus(RenewalSchedule.FIRST_PAUSE.multipliedBy(i)));
            assertThat(folder.certificateStamp(HOST)).isEqualTo(stamp);
            time.set(state().nextAttempt());
        }
    }

    @Test
    void certificateThatHasExpiredIsAFailure() throws Exception {
        time.pass(LIFE.plusHours(1));
        answers.add(FIRST);
        var _ = certificates.round();
        assertThat(state().phase()).isEqualTo(Phase.AWAITED);
        assertThat(state().why()).contains("expired at ").contains("check the clock");
        assertThat(folder.certificateStamp(HOST)).isEmpty();
    }

    /// RFC 8555 §9.1 does not require an order.
    @Test
    void chainIsPutInOrder() throws Exception {
        TestKeys authority =
                TestKeys.make("EC", "dns:ca.test", "-ext", "bc:c", "-dname", "CN=authority");
        TestKeys signed = TestKeys.signedBy(authority, "EC", "dns:a.test");
        String chain = Files.readString(signed.certificate());
        int second = chain.lastIndexOf("-----BEGIN");
        answers.add(
                Files.readString(signed.key())
                        + Files.readString(OTHER.certificate())
                        + chain.substring(second)
                        + chain.substring(0, second));
        var _ = certificates.round();
        assertThat(state().phase()).isEqualTo(Phase.SERVED);
        assertThat(folder.credential(HOST).chain())
                .isEqualTo(Credential.pem(signed.certificate(), signed.key()).chain());
    }

    @Test
    void brokenCertificateIsOrderedAgain() throws Exception {
        folder.saveCertificate(HOST, "broken");
        answers.add(FIRST);
        var _ = certificates.round();
        assertThat(ordered).hasSize(1);
        assertThat(state().phase()).isEqualTo(Phase.SERVED);
    }

    /// Such as after an error of a shared file system, which leaves no trace in the file.
    @Test
    void fileThatCouldNotBeReadOnceIsTriedAgain() throws Exception {
        String good = pem(FIRST, FIRST);
        folder.saveCertificate(HOST, "x".repeat(good.length()));
        Path file;
        try (Stream<Path> all = Files.walk(path)) {
            file = all.filter(each -> each.endsWith(HOST + ".pem")).findFirst().orElseThrow();
        }
        FileTime written = Files.getLastModifiedTime(file);
        answers.add(new IOException("down"));
        var _ = certificates.round();
        assertThat(state().phase()).isEqualTo(Phase.AWAITED);
        Files.writeString(file, good);
        Files.setLastModifiedTime(file, written);
        var _ = certificates.round();
        assertThat(ordered).hasSize(1);
        assertThat(state().phase()).isEqualTo(Phase.SERVED);
    }

    @Test
    void hostsComeAndGo() throws Exception {
        answers.add(FIRST);
        var _ = certificates.round();
        answers.add(SECOND);
        certificates.hosts(new LinkedHashSet<>(List.of(HOST, "b.test")));
        assertThat(state().issued()).as("what is there stays").isOne();
        var _ = certificates.round();
        assertThat(ordered).containsExactly(HOST, "b.test");
        certificates.hosts(Set.of("b.test"));
        assertThat(certificates.states()).extracting(HostState::host).containsExactly("b.test");
    }

    /// New keys would end the sessions of clients, at each reload of a server.
    @Test
    void sameHostsLeaveTheKeys() throws Exception {
        List<IssuedKeys> made = new ArrayList<>();
        TlsSettings settings =
                TlsSettings.ofIssued(TlsProfile.INTERMEDIATE, ClientCertificates.NONE)
                        .withLibrary((keys, refused, all) -> {
                            made.add(keys);
                            return JdkTls.LIBRARY.make(keys, refused, all);
                        });
        var _ = certificates.tls(settings);
        made.clear();
        certificates.hosts(Set.of(HOST));
        assertThat(made).isEmpty();
        certificates.hosts(Set.of(HOST, "b.test"));
        assertThat(made).hasSize(1);
    }

    @Test
    void orderIsVisibleWhileItIsMade() throws Exception {
        List<Phase> seen = new ArrayList<>();
        AutomaticCertificates[] own = new AutomaticCertificates[1];
        own[0] =
                new AutomaticCertificates(
                        folder,
                        (_, _) ->
                                host -> {
                                    seen.add(
                                            Objects.requireNonNull(own[0])
                                                    .states()
                                                    .getFirst()
                                                    .phase());
                                    return issue(host);
                                },
                        new RenewalSchedule(() -> 0),
                        time);
        own[0].hosts(Set.of(HOST));
        answers.add(FIRST);
        var _ = own[0].round();
        time.set(own[0].states().getFirst().nextAttempt());
        answers.add(SECOND);
        var _ = own[0].round();
        assertThat(seen).containsExactly(Phase.ORDERED, Phase.RENEWED);
    }

    /// A stop is no failure, after which the next start would wait.
    @Test
    void closeGivesUpAnOrder() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        AutomaticCertificates one =
                new AutomaticCertificates(
                        folder,
                        (_, _) ->
                                _ -> {
                                    begun.countDown();
                                    try {
                                        new CountDownLatch(1).await();
                                    } finally {
                                        ended.countDown();
                                    }
                                    return "";
                                },
                        new RenewalSchedule(() -> 0),
                        time);
        one.hosts(Set.of(HOST));
        one.start();
        Await.open("the order begins", begun);
        one.close();
        Await.open("the order ends", ended);
        Await.until(
                "the lock is free",
                () -> {
                    try (CertificateFolder.@Nullable Lock lock = folder.tryLock()) {
                        return lock != null;
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
        assertThat(folder.failure(HOST)).isNull();
    }

    @Test
    void newHostsWakeTheThread() throws Exception {
        answers.add(FIRST);
        AutomaticCertificates one = server();
        one.start();
        Await.until("the first certificate", () -> one.states().getFirst().phase() == Phase.SERVED);
        answers.add(SECOND);
        one.hosts(Set.of("b.test"));
        Await.until(
                "the certificate of the new host",
                () -> one.states().getFirst().phase() == Phase.SERVED);
        one.close();
    }
}
