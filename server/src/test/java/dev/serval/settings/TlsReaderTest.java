package dev.serval.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.policy.ProxyProtocol;
import dev.serval.testkit.TestKeys;
import dev.serval.tls.ClientCertificates;
import dev.serval.tls.JdkTls;
import dev.serval.tls.KeyFiles;
import dev.serval.tls.TlsProfile;
import dev.serval.tls.TlsSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TlsReaderTest {
    private static final TestKeys KEYS = TestKeys.local();
    private static final String SERVICE = "META-INF/services/dev.serval.tls.TlsProvider$Maker";

    @TempDir Path folder;
    private final Problems problems = new Problems();

    @BeforeEach
    void copyKeys() throws IOException {
        Files.copy(KEYS.certificate(), folder.resolve("cert.pem"));
        Files.copy(KEYS.key(), folder.resolve("key.pem"));
        Files.copy(KEYS.store(), folder.resolve("store.p12"));
        Files.writeString(folder.resolve("pass"), TestKeys.PASSPHRASE);
    }

    @Test
    void readsOneCertificateRelativeToTheFile() {
        assertThat(read("certificate = 'cert.pem'\nkey = 'key.pem'"))
                .isEqualTo(
                        new TlsSettings(
                                List.of(
                                        new KeyFiles(
                                                folder.resolve("cert.pem"),
                                                folder.resolve("key.pem"))),
                                TlsProfile.INTERMEDIATE));
        assertThat(problems.sentences()).isEmpty();
        assertThat(problems.notes()).isEmpty();
    }

    @Test
    void tellsOfWhatIsOutOfDate() throws IOException {
        TestKeys old = TestKeys.make("EC", "dns:a.test", "-startdate", "-40H");
        KEYS.revokeFrom("-10d", folder.resolve("list.crl"), KEYS);
        Files.copy(old.certificate(), folder.resolve("old.pem"));
        Files.copy(old.key(), folder.resolve("old.key"));
        assertThat(
                        read(
                                """
                                certificate = 'old.pem'
                                key = 'old.key'
                                client-certificate = 'need'
                                client-authorities = 'cert.pem'
                                client-revocations = 'list.crl'
                                """))
                .isNotNull();
        assertThat(problems.sentences()).isEmpty();
        assertThat(problems.notes())
                .hasSize(2)
                .anyMatch(note -> note.contains("expires at "))
                .anyMatch(note -> note.contains("list.crl is out of date since "));
    }

    @Test
    void readsListsOfRevokedCertificates() {
        KEYS.revoke(folder.resolve("list.crl"), KEYS);
        String pair = "certificate = 'cert.pem'\nkey = 'key.pem'\n";
        TlsSettings read =
                Objects.requireNonNull(
                        read(
                                pair
                                        + "client-certificate = 'need'\n"
                                        + "client-authorities = 'cert.pem'\n"
                                        + "client-revocations = 'list.crl'"));
        assertThat(read.clients().revoked()).containsExactly(folder.resolve("list.crl"));
        assertThat(problems.sentences()).isEmpty();
        assertThat(read(pair + "client-revocations = 'list.crl'")).isNotNull();
        assertThat(problems.sentences())
                .singleElement()
                .asString()
                .contains("client-revocations has no effect without client-certificate");
    }

    @Test
    void readsTheLibrary() {
        String pair = "certificate = 'cert.pem'\nkey = 'key.pem'\n";
        TlsSettings usual = Objects.requireNonNull(read(pair));
        assertThat(usual.library()).isEqualTo(JdkTls.LIBRARY);
        assertThat(read(pair + "provider = 'jdk'")).isEqualTo(usual);
        TlsSettings other = Objects.requireNonNull(read(pair + "provider = 'boringssl'"));
        assertThat(problems.sentences()).isEmpty();
        assertThat(other.library()).isNotEqualTo(JdkTls.LIBRARY);
        assertThat(other.withLibrary(JdkTls.LIBRARY)).isEqualTo(usual);
        assertThat(read(pair + "provider = 'boringssl'")).as("of a reload").isEqualTo(other);
        assertThat(Objects.requireNonNull(read("certificate = 'auto'\nprovider = 'boringssl'")))
                .isEqualTo(
                        TlsSettings.ofIssued(TlsProfile.INTERMEDIATE, ClientCertificates.NONE)
                                .withLibrary(other.library()));
    }

    @Test
    void keyThatTheLibraryCannotUseGetsASentence() throws IOException {
        TestKeys pss = TestKeys.make("RSASSA-PSS", "dns:localhost");
        Files.copy(pss.certificate(), folder.resolve("pss.pem"));
        Files.copy(pss.key(), folder.resolve("pss.key"));
        String pair = "certificate = 'pss.pem'\nkey = 'pss.key'\n";
        assertThat(read(pair)).isNotNull();
        assertThat(problems.sentences()).isEmpty();
        says(pair + "provider = 'boringssl'", "BoringSSL cannot sign with the key");
    }

    @Test
    void missingLibraryGetsASentence() {
        assertThatThrownBy(() -> TlsReader.BoringSsl.find(folder, withoutLibrary()))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "provider = \"boringssl\" needs serval-tls-boringssl.jar, which is not in "
                                + folder
                                + ": put it beside serval.jar, or use the provider jdk");
    }

    @Test
    void libraryOfAnotherVersionGetsASentence() throws IOException {
        Path jar = folder.resolve("serval-tls-boringssl.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry(SERVICE));
            out.write("dev.serval.Missing".getBytes(StandardCharsets.UTF_8));
        }
        assertThatThrownBy(() -> TlsReader.BoringSsl.find(folder, withoutLibrary()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(jar + " does not fit this version of the server: ");
    }

    /// Returns a loader of the server's classes that has no library.
    private static ClassLoader withoutLibrary() {
        return new ClassLoader(TlsReader.class.getClassLoader()) {
            @Override
            public Enumeration<URL> getResources(String name) throws IOException {
                return name.equals(SERVICE)
                        ? Collections.emptyEnumeration()
                        : super.getResources(name);
            }
        };
    }

    @Test
    void readsDottedKeysOfTheListener() {
        assertThat(
                        choice(
                                        "tls.certificate = 'cert.pem'\ntls.key = 'key.pem'\n"
                                                + "tls.profile = 'modern'")
                                .tls())
                .extracting(TlsSettings::profile)
                .isEqualTo(TlsProfile.MODERN);
    }

    @Test
    void readsSeveralCertificatesOfBothForms() {
        TlsSettings settings =
                read(
                        "certificate = ['store.p12', 'cert.pem']\nkey = ['key.pem']\n"
                                + "passphrase-file = 'pass'");
        assertThat(problems.sentences()).isEmpty();
        assertThat(Objects.requireNonNull(settings).keys())
                .extracting(KeyFiles::key)
                .containsExactly(null, folder.resolve("key.pem"));
    }

    @Test
    void listenerWithoutTheTableIsPlain() {
        assertThat(choice("").tls()).isNull();
    }

    @Test
    void eachMistakeGetsASentence() {
        says("certificate = 'cert.pem'", "4:1: There is no key for cert.pem");
        says(
                "certificate = 'cert.pem'\nkey = ['key.pem', 'more.pem']",
                "There is no certificate for more.pem");
        says(
                "certificate = 'cert.pem'\nkey = 'missing.pem'",
                "There is no file " + folder.resolve("missing.pem") + ".");
        says("certificate = 'key.pem'\nkey = 'key.pem'", "has no certificate");
        says("certificate = 'store.p12'", "cannot be read as PKCS#12");
        says("key = 'key.pem'", "certificate");
        says("certificate = 'cert.pem'\nkey = 'key.pem'\nprofile = 'old'", "profile");
    }

    @Test
    void readsCertificatesOfClients() {
        String pair = "certificate = 'cert.pem'\nkey = 'key.pem'\n";
        TlsSettings settings =
                read(pair + "client-certificate = 'need'\nclient-authorities = 'cert.pem'");
        assertThat(problems.sentences()).isEmpty();
        assertThat(Objects.requireNonNull(settings).clients())
                .isEqualTo(
                        new ClientCertificates(
                                ClientCertificates.Asked.NEED, folder.resolve("cert.pem")));
        says(pair + "client-certificate = 'want'", "client-certificate needs client-authorities");
        says(pair + "client-authorities = 'cert.pem'", "no effect without client-certificate");
        says(
                pair + "client-certificate = 'need'\nclient-authorities = 'key.pem'",
                "key.pem has no certificate");
    }

    @Test
    void readsThePortOfARedirect() {
        assertThat(choice("https-redirect = 8443").httpsPort()).isEqualTo(8443);
        assertThat(choice("").httpsPort()).isZero();
        Problems found = new Problems();
        listener("https-redirect = 443\ntls.certificate = 'cert.pem'\ntls.key = 'key.pem'", found);
        assertThat(found.sentences())
                .singleElement()
                .asString()
                .contains("A listener with tls cannot redirect to https");
    }

    @Test
    void takesProxyHeadersBesideTls() {
        ListenerChoice both =
                choice("proxy-protocol = true\ntls.certificate = 'cert.pem'\ntls.key = 'key.pem'");
        assertThat(both.tls()).isNotNull();
        assertThat(both.proxy()).isEqualTo(ProxyProtocol.REQUIRED);
    }

    @Test
    void optionTakesPairsAndStores() {
        String cert = folder.resolve("cert.pem").toString();
        String key = folder.resolve("key.pem").toString();
        TlsSettings settings = TlsReader.options(List.of(cert + "," + key), problems);
        assertThat(problems.sentences()).isEmpty();
        assertThat(Objects.requireNonNull(settings).keys())
                .containsExactly(new KeyFiles(Path.of(cert), Path.of(key), null));
        for (String wrong : List.of("", cert, cert + "," + key + ",x", "," + key)) {
            Problems found = new Problems();
            assertThat(TlsReader.options(List.of(wrong), found)).isNull();
            assertThat(found.sentences())
                    .singleElement()
                    .asString()
                    .startsWith("--tls takes CERT,KEY");
        }
    }

    @Test
    void automaticCertificatesNeedAFile() {
        assertThat(TlsReader.options(List.of("auto"), problems)).isNull();
        assertThat(problems.sentences())
                .singleElement()
                .asString()
                .contains("--tls auto does not exist", "[acme]", "terms");
    }

    /// Such a text is the path of no file.
    @Test
    void characterNulIsRefused() throws IOException {
        String listener = "[[listener]]\naddress = '8443'\ntls.key = 'key.pem'\n";
        assertThat(new WrittenFile(folder).wrong(listener + "tls.certificate = \"a\\u0000b\""))
                .singleElement()
                .asString()
                .contains("certificate takes the path of a file");
    }

    private void says(String table, String sentence) {
        Problems found = new Problems();
        listener("[listener.tls]\n" + table, found);
        assertThat(found.sentences()).as(table).anyMatch(text -> text.contains(sentence));
    }

    private @Nullable TlsSettings read(String table) {
        return choice("[listener.tls]\n" + table).tls();
    }

    private ListenerChoice choice(String listener) {
        return listener(listener, problems).options().engine().listeners().getFirst();
    }

    private SettingsFile listener(String listener, Problems found) {
        try {
            Path file =
                    Files.writeString(
                            folder.resolve("serval.toml"),
                            "[[listener]]\naddress = '8443'\n" + listener + "\n");
            @Nullable SettingsFile read = SettingsFile.read(file, Map.of(), found);
            if (read == null) {
                throw new AssertionError(found.sentences());
            }
            return read;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
