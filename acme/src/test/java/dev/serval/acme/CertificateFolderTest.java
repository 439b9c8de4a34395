package dev.serval.acme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.ChildJvm;
import dev.serval.testkit.TestKeys;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CertificateFolderTest {
    private static final URI URL = URI.create("https://acme.example/v2/Directory");

    private final Path path;
    private CertificateFolder folder;

    CertificateFolderTest(@TempDir Path parent) throws IOException {
        path = parent.resolve("acme");
        folder = CertificateFolder.open(path, URL);
    }

    @Test
    void onlyTheUserMayRead() throws IOException {
        folder.saveAccount("account");
        folder.saveCertificate("a.test", "certificate");
        folder.saveAnswer("token", "answer");
        folder.saveFailure("a.test", new Failure(1, Instant.EPOCH, Instant.EPOCH, "why"));
        try (CertificateFolder.Lock lock = Objects.requireNonNull(folder.tryLock())) {
            assertThat(lock).isNotNull();
        }
        try (Stream<Path> all = Files.walk(path)) {
            for (Path each : all.toList()) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                        .as(each.toString())
                        .isEqualTo(Files.isDirectory(each) ? "rwx------" : "rw-------");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "certificates", "challenges", "failures"})
    void foldersThatOthersCouldReadAreClosed(String name) throws IOException {
        Path own = path.resolve("acme.example_v2_directory").resolve(name);
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxr-xr-x"));
        folder = CertificateFolder.open(path, URL);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
                .isEqualTo("rwx------");
    }

    @Test
    void eachAuthorityHasFilesOfItsOwn() throws IOException {
        folder.saveAccount("one");
        CertificateFolder other =
                CertificateFolder.open(path, URI.create("https://acme.example/v1"));
        assertThat(other.account()).isNull();
        assertThat(folder.account()).isEqualTo("one");
    }

    @Test
    void onlyOneServerHasTheLock() throws IOException {
        CertificateFolder other = CertificateFolder.open(path, URL);
        try (CertificateFolder.Lock lock = Objects.requireNonNull(folder.tryLock())) {
            assertThat(lock).isNotNull();
            assertThat(other.tryLock()).isNull();
        }
        try (CertificateFolder.Lock lock = Objects.requireNonNull(other.tryLock())) {
            assertThat(lock).isNotNull();
        }
    }

    /// Linux drops all locks of a process when it closes any descriptor of the file.
    @Test
    void lockStaysIfAnotherServerOfThisProcessAsksForIt() throws Exception {
        CertificateFolder other = CertificateFolder.open(path, URL);
        try (CertificateFolder.Lock lock = Objects.requireNonNull(folder.tryLock())) {
            assertThat(lock).isNotNull();
            assertThat(other.tryLock()).isNull();
            assertThat(otherProcessLocks()).isFalse();
        }
        assertThat(otherProcessLocks()).isTrue();
    }

    private boolean otherProcessLocks() throws Exception {
        Process other =
                ChildJvm.command(List.of(), OtherProcess.class, path.toString())
                        .redirectError(path.resolveSibling("errors").toFile())
                        .start();
        return other.waitFor() == 0;
    }

    /// Fails if it does not get the lock.
    static final class OtherProcess {
        private OtherProcess() {}

        /// Asks for the lock.
        ///
        /// @param arguments the folder
        public static void main(String[] arguments) throws IOException {
            CertificateFolder own = CertificateFolder.open(Path.of(arguments[0]), URL);
            if (own.tryLock() == null) {
                throw new IOException("Another process has the lock");
            }
        }
    }

    @Test
    void certificateIsReadWithItsKey() throws IOException {
        TestKeys keys = TestKeys.make("EC", "dns:a.test");
        assertThat(folder.certificateStamp("a.test")).isEmpty();
        folder.saveCertificate(
                "a.test", Files.readString(keys.key()) + Files.readString(keys.certificate()));
        assertThat(folder.certificateStamp("a.test")).isNotEmpty();
        assertThat(folder.credential("a.test").chain()).hasSize(1);
    }

    @Test
    void replacedCertificateHasAnotherStamp() throws IOException {
        folder.saveCertificate("a.test", "one");
        String first = folder.certificateStamp("a.test");
        folder.saveCertificate("a.test", "two");
        assertThat(folder.certificateStamp("a.test")).isNotEqualTo(first);
    }

    @Test
    void answersAreThereUntilTheyAreRemoved() throws IOException {
        folder.saveAnswer("tok-en_1", "answer");
        assertThat(folder.answer("tok-en_1")).isEqualTo("answer");
        folder.removeAnswer("tok-en_1");
        assertThat(folder.answer("tok-en_1")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../account.pem", "..", ".", "", "a/b", "a%2fb"})
    void tokensLeadToNoOtherFile(String token) throws IOException {
        folder.saveAccount("secret");
        assertThat(folder.answer(token)).isNull();
        assertThatThrownBy(() -> folder.saveAnswer(token, "x"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../a", "*.a.test", "", "A.test", "a..test"})
    void hostsLeadToNoOtherFile(String host) {
        assertThatThrownBy(() -> folder.saveCertificate(host, "x"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void failuresAreReadAsTheyWereSaved() throws IOException {
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        folder.saveFailure(
                "a.test", new Failure(3, now, now.plusSeconds(60), "some\r\nmore\rlines\n"));
        assertThat(folder.failure("a.test"))
                .isEqualTo(new Failure(3, now, now.plusSeconds(60), "some more lines "));
        folder.removeFailure("a.test");
        assertThat(folder.failure("a.test")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1\n2\n3",
                "x\n2026-01-01T00:00:00Z\n2026-01-01T00:00:00Z\ny",
                "1\na\nb\nc"
            })
    void brokenFailuresAreNone(String text) {
        assertThat(Failure.of(text)).isNull();
    }
}
