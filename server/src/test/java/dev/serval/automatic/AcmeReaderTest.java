package dev.serval.automatic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.acme.ChallengeKind;
import dev.serval.settings.Problems;
import dev.serval.settings.SettingsFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AcmeReaderTest {
    private static final String ACME = "[acme]\nterms-agreed = true\n";
    private static final String PLAIN = "[[listener]]\naddress = '0'\n";
    private static final String AUTO = "[[listener]]\naddress = '8443'\ntls.certificate = 'auto'\n";
    private static final String HOST = host("'A.test.'");

    @TempDir Path folder;
    private final Problems problems = new Problems();

    private static String host(String names) {
        return "[[host]]\nname = ["
                + names
                + "]\ntls = 'auto'\n[[host.mount]]\nat = '/'\nfolder = 'site'\n";
    }

    @BeforeEach
    void makeSite() throws IOException {
        Files.createDirectory(folder.resolve("site"));
    }

    @Test
    void readsWhatIsChosen() throws IOException {
        Files.writeString(folder.resolve("key"), "a2V5\nmore\n");
        Files.writeString(folder.resolve("ca.pem"), "");
        AcmeChoice choice =
                chosen(
                        ACME
                                + "email = 'admin@a.test'\ndirectory = 'https://ca.test/dir'\n"
                                + "folder = 'certs'\nchallenge = 'tls-alpn-01'\n"
                                + "authorities = 'ca.pem'\naccount-id = 'one'\n"
                                + "account-key-file = 'key'\n"
                                + AUTO
                                + host("'a.test', 'www.a.test'"));
        assertThat(problems.sentences()).isEmpty();
        assertThat(choice.hosts()).containsExactly("a.test", "www.a.test");
        assertThat(choice.settings().directory()).isEqualTo(URI.create("https://ca.test/dir"));
        assertThat(choice.settings().email()).isEqualTo("admin@a.test");
        assertThat(choice.settings().folder()).isEqualTo(folder.resolve("certs"));
        assertThat(choice.settings().challenge()).isEqualTo(ChallengeKind.TLS_ALPN_01);
        assertThat(choice.settings().authorities()).isEqualTo(folder.resolve("ca.pem"));
        var binding = Objects.requireNonNull(choice.settings().binding());
        assertThat(binding.keyId()).isEqualTo("one");
        assertThat(binding.key()).isEqualTo("a2V5");
        assertThat(binding.toString()).doesNotContain("a2V5");
    }

    @Test
    void usualChoiceIsLetsEncryptByHttp() {
        AcmeChoice choice = chosen("[server]\nstate = 'state'\n" + ACME + PLAIN + AUTO + HOST);
        assertThat(problems.sentences()).isEmpty();
        assertThat(choice.hosts()).containsExactly("a.test");
        assertThat(choice.settings().directory().getHost()).endsWith("letsencrypt.org");
        assertThat(choice.settings().challenge()).isEqualTo(ChallengeKind.HTTP_01);
        assertThat(choice.settings().folder()).isEqualTo(folder.resolve("state/acme"));
        assertThat(choice.settings().binding()).isNull();
        assertThat(choice.settings().authorities()).isNull();
    }

    @Test
    void nothingIsChosenWithoutTheWord() {
        assertThat(read(PLAIN)).isNull();
        assertThat(problems.sentences()).isEmpty();
    }

    @Test
    void hostsOfFilesHaveNone() {
        AcmeChoice choice =
                chosen(
                        ACME
                                + PLAIN
                                + AUTO
                                + HOST
                                + "[[host]]\nname = 'b.test'\n[[host.mount]]\nat = '/'\n"
                                + "folder = 'site'\n");
        assertThat(choice.hosts()).containsExactly("a.test");
    }

    @ParameterizedTest
    @ValueSource(strings = {"*.a.test", "*"})
    void wildcardsAreRefusedWithTheReason(String name) {
        says(
                ACME + PLAIN + AUTO + host("'b.test', '" + name + "'"),
                "neither http-01 nor tls-alpn-01 can prove a wildcard");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "[::1]"})
    void addressesAreRefused(String name) {
        says(ACME + PLAIN + AUTO + host("'b.test', '" + name + "'"), "use a host name");
    }

    @Test
    void folderMustBeOneThatThisUserCanWrite() throws IOException {
        Files.writeString(folder.resolve("file"), "");
        says(
                ACME + "folder = 'file/acme'\n" + PLAIN + AUTO + HOST,
                "serval.toml:3:1: The folder " + folder.resolve("file/acme"));
        Path closed = Files.createDirectory(folder.resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-x------"));
        if (!Files.isWritable(closed)) { // root can write everywhere
            says(
                    ACME + "folder = 'closed/acme'\n" + PLAIN + AUTO + HOST,
                    closed + " cannot be written by this user");
        }
    }

    @Test
    void termsMustBeAgreed() {
        says("[acme]\n" + PLAIN + AUTO + HOST, "add terms-agreed = true");
    }

    @Test
    void eachPartNeedsTheOthers() {
        says(ACME + PLAIN + HOST, "without a listener");
        says(ACME + PLAIN + AUTO, "without a host");
        says(PLAIN + AUTO + HOST, "need the table [acme]");
        says(PLAIN + HOST, "need the table [acme]");
    }

    @Test
    void checkByHttpNeedsAPlainListener() {
        says(ACME + AUTO + HOST, "a listener without tls");
    }

    @Test
    void externalAccountNeedsBothKeys() {
        says(ACME + "account-id = 'one'\n" + PLAIN + AUTO + HOST, "both account-id");
        says(ACME + "account-key-file = 'key'\n" + PLAIN + AUTO + HOST, "both account-id");
    }

    @Test
    void filesMustBeReadable() throws IOException {
        String key = "account-id = 'one'\naccount-key-file = 'key'\n";
        says(ACME + key + PLAIN + AUTO + HOST, "key cannot be read");
        Files.writeString(folder.resolve("key"), "no key\n");
        says(ACME + key + PLAIN + AUTO + HOST, "must be a key in base64url");
        says(ACME + "authorities = 'ca.pem'\n" + PLAIN + AUTO + HOST, "ca.pem cannot be read");
    }

    @Test
    void filesHaveNoPlaceBesideTheWord() {
        says(ACME + PLAIN + AUTO + "tls.key = 'key.pem'\n" + HOST, "key has no effect");
        says(
                ACME + PLAIN + AUTO.replace("'auto'", "['auto', 'b.pem']") + HOST,
                "cannot be with certificates of files");
    }

    @Test
    void directoryIsAUrl() {
        says(ACME + "directory = 'https://a/%'\n" + PLAIN + AUTO + HOST, "is no URL");
    }

    private void says(String text, String sentence) {
        Problems own = new Problems();
        var _ = read(text, own);
        assertThat(own.sentences()).as(text).anyMatch(each -> each.contains(sentence));
    }

    private AcmeChoice chosen(String text) {
        return Objects.requireNonNull(read(text), () -> problems.sentences().toString());
    }

    private @Nullable AcmeChoice read(String text) {
        return read(text, problems);
    }

    private @Nullable AcmeChoice read(String text, Problems to) {
        try {
            Path file = Files.writeString(folder.resolve("serval.toml"), text);
            return Objects.requireNonNull(SettingsFile.read(file, Map.of(), to)).options().acme();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
