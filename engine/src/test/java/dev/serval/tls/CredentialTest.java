package dev.serval.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.TestKeys;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.PBEParameterSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests the files of keys and certificates. The keys are made at run time.
final class CredentialTest {
    private static final TestKeys LOCAL = TestKeys.local();
    private static final String P256 = "06082a8648ce3d030107";

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"EC", "RSA", "RSASSA-PSS", "Ed25519"})
    void readsEachAlgorithmAsPkcs8(String algorithm) throws IOException {
        TestKeys keys = TestKeys.make(algorithm, "dns:a.test");
        Credential read = Credential.pem(keys.certificate(), keys.key());
        assertThat(CertificateNames.of(read.certificate())).containsExactly("a.test");
        assertThat(read.chain()).hasSize(1);
    }

    @Test
    void readsCertificateAndKeyFromOneFile() throws IOException {
        Path both =
                Files.writeString(
                        folder.resolve("both.pem"),
                        "Text before a block does not matter.\n"
                                + Files.readString(LOCAL.key())
                                + Files.readString(LOCAL.certificate()));
        assertThat(Credential.pem(both, both).chain()).hasSize(1);
    }

    @Test
    void readsPkcs1() throws IOException {
        TestKeys keys = TestKeys.make("RSA", "dns:a.test");
        Der pkcs8 = Der.of(key(keys)).enter(Der.SEQUENCE);
        pkcs8.enter(Der.INTEGER);
        pkcs8.enter(Der.SEQUENCE);
        Path pkcs1 = pem("RSA PRIVATE KEY", pkcs8.enter(Der.OCTETS).rest());
        assertThat(Credential.pem(keys.certificate(), pkcs1).key().getAlgorithm()).isEqualTo("RSA");
    }

    /// As OpenSSL writes it: the curve first in a block of its own, then in the key.
    @Test
    void readsSec1() throws IOException {
        byte[] sec1 = sec1(Der.element(Der.CONTEXT_0, HexFormat.of().parseHex(P256)));
        Path file =
                Files.writeString(
                        folder.resolve("sec1.pem"),
                        TestKeys.pem("EC PARAMETERS", HexFormat.of().parseHex(P256))
                                + TestKeys.pem("EC PRIVATE KEY", sec1));
        assertThat(Credential.pem(LOCAL.certificate(), file).key().getAlgorithm()).isEqualTo("EC");
    }

    @Test
    void refusesSec1WithoutItsCurve() throws IOException {
        Path file = pem("EC PRIVATE KEY", sec1());
        assertThatThrownBy(() -> Credential.pem(LOCAL.certificate(), file))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "The private key in "
                                + file
                                + " cannot be read: it does not name its"
                                + " curve");
    }

    private static byte[] sec1(byte[]... more) throws IOException {
        Der pkcs8 = Der.of(key(LOCAL)).enter(Der.SEQUENCE);
        pkcs8.enter(Der.INTEGER);
        pkcs8.enter(Der.SEQUENCE);
        Der own = pkcs8.enter(Der.OCTETS).enter(Der.SEQUENCE);
        own.enter(Der.INTEGER);
        byte[] number = own.enter(Der.OCTETS).rest();
        byte[] begin = Der.element(Der.INTEGER, new byte[] {1});
        byte[] secret = Der.element(Der.OCTETS, number);
        return more.length == 0
                ? Der.element(Der.SEQUENCE, begin, secret)
                : Der.element(Der.SEQUENCE, begin, secret, more[0]);
    }

    // Encrypted keys

    @ParameterizedTest
    @ValueSource(strings = {"PBEWithHmacSHA256AndAES_256", "PBEWithHmacSHA1AndAES_128"})
    void readsEncryptedKeys(String algorithm) throws IOException, GeneralSecurityException {
        Path file = pem("ENCRYPTED PRIVATE KEY", encrypted(key(LOCAL), algorithm, "s\u00e4cret"));
        Path right = Files.writeString(folder.resolve("right"), "s\u00e4cret\nnext line");
        assertThat(Credential.pem(LOCAL.certificate(), file, right).chain()).hasSize(1);
        Path wrong = Files.writeString(folder.resolve("wrong"), "other");
        assertThatThrownBy(() -> Credential.pem(LOCAL.certificate(), file, wrong))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the passphrase does not fit it")
                .hasMessageContaining(file.toString());
        assertThatThrownBy(() -> Credential.pem(LOCAL.certificate(), file))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "The private key in "
                                + file
                                + " cannot be read: it is encrypted, and no file with its passphrase"
                                + " is named");
    }

    @Test
    void namesTheWayForKeysThatAreEncryptedInAnOldWay() throws IOException {
        Path file =
                Files.writeString(
                        folder.resolve("old.pem"),
                        """
                        -----BEGIN RSA PRIVATE KEY-----
                        Proc-Type: 4,ENCRYPTED
                        DEK-Info: AES-128-CBC,00

                        AAAA
                        -----END RSA PRIVATE KEY-----
                        """);
        assertThatThrownBy(() -> Credential.pem(LOCAL.certificate(), file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("openssl pkcs8 -topk8");
    }

    /// About four of these passphrases give bytes with a right padding, which are no key.
    @Test
    void saysOfEveryWrongPassphraseThatItDoesNotFit() throws Exception {
        byte[] key = encrypted(key(LOCAL), "PBEWithHmacSHA256AndAES_256", "right");
        Path file = pem("ENCRYPTED PRIVATE KEY", key);
        for (int i = 0; i < 1000; i++) {
            char[] wrong = ("wrong" + i).toCharArray();
            assertThatThrownBy(() -> PrivateKeys.read(file, wrong))
                    .hasMessageContaining("the passphrase does not fit it");
        }
    }

    private static byte[] encrypted(byte[] key, String algorithm, String passphrase)
            throws GeneralSecurityException, IOException {
        Cipher cipher = Cipher.getInstance(algorithm);
        cipher.init(
                Cipher.ENCRYPT_MODE,
                SecretKeyFactory.getInstance(algorithm)
                        .generateSecret(new PBEKeySpec(passphrase.toCharArray())),
                new PBEParameterSpec(new byte[16], 1000));
        byte[] id = Der.element(Der.OBJECT_ID, HexFormat.of().parseHex("2a864886f70d01050d"));
        return Der.element(
                Der.SEQUENCE,
                Der.element(Der.SEQUENCE, id, cipher.getParameters().getEncoded()),
                Der.element(Der.OCTETS, cipher.doFinal(key)));
    }

    // PKCS#12

    @Test
    void readsPkcs12() throws IOException {
        Path passphrase = Files.writeString(folder.resolve("pass"), TestKeys.PASSPHRASE + "\n");
        assertThat(Credential.pkcs12(LOCAL.store(), passphrase)).hasSize(1);
    }

    @Test
    void namesAStoreThatCannotBeRead() throws IOException {
        Path wrong = Files.writeString(folder.resolve("pass"), "wrong");
        assertThatThrownBy(() -> Credential.pkcs12(LOCAL.store(), wrong))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(LOCAL.store() + " cannot be read as PKCS#12");
        assertThatThrownBy(() -> Credential.pkcs12(LOCAL.key(), wrong))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(LOCAL.key() + " cannot be read as PKCS#12");
    }

    @Test
    void namesAStoreWhoseKeyHasNoCertificate() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        byte[] key = encrypted(key(LOCAL), "PBEWithHmacSHA256AndAES_256", "secret");
        store.setKeyEntry("key", key, null);
        Path file = folder.resolve("key.p12");
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, "secret".toCharArray());
        }
        Path passphrase = Files.writeString(folder.resolve("pass"), "secret");
        assertThatThrownBy(() -> Credential.pkcs12(file, passphrase))
                .isInstanceOf(IOException.class)
                .hasMessage(file + " has no private key with its certificate");
    }

    @Test
    void refusesAStoreWhoseKeyBelongsToAnotherCertificate()
            throws IOException, GeneralSecurityException {
        TestKeys other = TestKeys.make("EC", "dns:other.test");
        Certificate[] chain = {Credential.chain(LOCAL.certificate()).getFirst()};
        Path file = store(PrivateKeys.read(other.key(), null), chain);
        assertThatThrownBy(() -> Credential.pkcs12(file, folder.resolve("pass")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("The key in " + file + " does not belong");
    }

    private Path store(PrivateKey key, Certificate[] chain)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("key", key, "secret".toCharArray(), chain);
        Path file = folder.resolve("own.p12");
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, "secret".toCharArray());
        }
        Files.writeString(folder.resolve("pass"), "secret");
        return file;
    }

    // What is wrong

    @Test
    void namesAMissingFile() {
        Path missing = folder.resolve("missing.pem");
        assertThatThrownBy(() -> Credential.pem(missing, LOCAL.key()))
                .isInstanceOf(IOException.class)
                .hasMessage("There is no file " + missing);
    }

    @Test
    void namesAFileWithoutAKeyOrACertificate() throws IOException {
        assertThatThrownBy(() -> Credential.pem(LOCAL.key(), LOCAL.key()))
                .hasMessageContaining("has no certificate");
        assertThatThrownBy(() -> Credential.pem(LOCAL.certificate(), LOCAL.certificate()))
                .hasMessageContaining("has no private key: it has only CERTIFICATE");
        Path text = Files.writeString(folder.resolve("text"), "no key");
        assertThatThrownBy(() -> Credential.pem(LOCAL.certificate(), text))
                .hasMessageContaining("is no PEM file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "30", "3082", "308201", "3003020100", "30060201000500"})
    void namesAKeyThatIsCut(String hex) throws IOException {
        Path file = pem("PRIVATE KEY", HexFormat.of().parseHex(hex));
        assertThatThrownBy(() -> Credential.pem(LOCAL.certificate(), file))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("The private key in " + file + " cannot be read: ");
    }

    @Test
    void namesAKeyAtEachCut() throws IOException {
        byte[] key = key(LOCAL);
        for (int length = 0; length < key.length; length++) {
            Path file = pem("PRIVATE KEY", Arrays.copyOf(key, length));
            assertThatThrownBy(() -> Credential.pem(LOCAL.certificate(), file))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void namesAFileThatIsTooLarge() throws IOException {
        Path large = Files.write(folder.resolve("large"), new byte[PemFile.MAX_BYTES + 1]);
        assertThatThrownBy(() -> Credential.pem(large, LOCAL.key()))
                .hasMessageContaining("is larger than 1 MiB");
        Path most = Files.write(folder.resolve("most"), new byte[PemFile.MAX_BYTES]);
        assertThatThrownBy(() -> Credential.pem(most, LOCAL.key()))
                .hasMessageContaining("has no certificate");
    }

    @Test
    void namesAKeyOfAnotherCertificate() {
        TestKeys other = TestKeys.make("EC", "dns:other.test");
        assertThatThrownBy(() -> Credential.pem(LOCAL.certificate(), other.key()))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "The key in "
                                + other.key()
                                + " does not belong to the certificate in "
                                + LOCAL.certificate()
                                + ", which is for localhost: name the key that it was made with");
    }

    @Test
    void readsAChainAndNamesWhatIsWrongWithIt() throws IOException {
        TestKeys authority = TestKeys.make("EC", "dns:ca.test", "-ext", "bc:c");
        TestKeys keys = TestKeys.signedBy(authority, "EC", "dns:a.test");
        Credential credential = Credential.pem(keys.certificate(), keys.key());
        assertThat(credential.chain()).hasSize(2);
        String own = Files.readString(keys.certificate());
        String first = own.substring(0, own.indexOf("-----BEGIN", 1));
        Path reversed =
                Files.writeString(
                        folder.resolve("reversed.pem"),
                        Files.readString(authority.certificate()) + first);
        assertThatThrownBy(() -> Credential.pem(reversed, keys.key()))
                .hasMessageContaining("belongs to certificate 2 in " + reversed)
                .hasMessageContaining("put that one first");
        Path broken =
                Files.writeString(
                        folder.resolve("broken.pem"),
                        first + Files.readString(LOCAL.certificate()));
        assertThatThrownBy(() -> Credential.pem(broken, keys.key()))
                .hasMessageContaining("Certificate 2 in " + broken)
                .hasMessageContaining("did not sign certificate 1");
    }

    // Warnings

    @Test
    void warnsOfTimesThatAreOverOrSoonOver() throws IOException {
        Credential credential = Credential.pem(LOCAL.certificate(), LOCAL.key());
        Instant end = credential.certificate().getNotAfter().toInstant();
        assertThat(CredentialCheck.warnings(credential, end.plusSeconds(1)))
                .singleElement()
                .asString()
                .contains(LOCAL.certificate().toString(), "expired at", "renew it");
        assertThat(CredentialCheck.warnings(credential, end.minus(13, ChronoUnit.DAYS)))
                .first()
                .asString()
                .containsAnyOf("expires at", "is valid only from");
        assertThat(CredentialCheck.warnings(credential, end.minusSeconds(1)))
                .singleElement()
                .asString()
                .contains("expires at");
        assertThat(CredentialCheck.warnings(credential, Instant.EPOCH))
                .singleElement()
                .asString()
                .contains("is valid only from", "check the clock");
    }

    /// 14 days before its end, or a third of its life if that is shorter.
    @ParameterizedTest
    @CsvSource({"90, 13, true", "90, 15, false", "9, 2, true", "9, 4, false"})
    void warnsOfAnEndThatIsNear(int days, int before, boolean warns) throws IOException {
        TestKeys keys = TestKeys.make("EC", "dns:a.test", "-validity", String.valueOf(days));
        Credential credential = Credential.pem(keys.certificate(), keys.key());
        Instant end = credential.certificate().getNotAfter().toInstant();
        assertThat(CredentialCheck.warnings(credential, end.minus(before, ChronoUnit.DAYS)))
                .hasSize(warns ? 1 : 0);
    }

    @Test
    void warnsOfAuthoritiesAndListsThatAreOutOfDate() throws IOException {
        TestKeys authority =
                TestKeys.make("EC", "dns:ca.test", "-ext", "bc:c", "-dname", "CN=authority");
        Path list = folder.resolve("list.crl");
        authority.revoke(list, LOCAL);
        ClientCertificates clients =
                new ClientCertificates(
                        ClientCertificates.Asked.NEED, authority.certificate(), List.of(list));
        Instant now = Instant.now();
        assertThat(CredentialCheck.warnings(ClientCertificates.NONE, now)).isEmpty();
        assertThat(CredentialCheck.warnings(clients, now)).isEmpty();
        assertThat(CredentialCheck.warnings(clients, now.plus(40, ChronoUnit.HOURS)))
                .hasSize(2)
                .anyMatch(text ->
                        text.contains(
                                "CN=authority in " + authority.certificate() + " expires at "))
                .anyMatch(text -> text.contains("CN=authority in " + list + " is valid until "));
        assertThat(CredentialCheck.warnings(clients, now.plus(3, ChronoUnit.DAYS)))
                .hasSize(2)
                .anyMatch(text -> text.contains(authority.certificate() + " expired at "))
                .anyMatch(text -> text.contains(list + " is out of date since "));
    }

    @Test
    void warnsOfAChainThatIsNotWhole() throws IOException {
        TestKeys authority =
                TestKeys.make("EC", "dns:ca.test", "-ext", "bc:c", "-dname", "CN=authority");
        TestKeys keys = TestKeys.signedBy(authority, "EC", "dns:a.test");
        String own = Files.readString(keys.certificate());
        Path alone =
                Files.writeString(
                        folder.resolve("alone.pem"),
                        own.substring(0, own.indexOf("-----BEGIN", 1)));
        Instant now = Instant.now();
        assertThat(CredentialCheck.warnings(Credential.pem(alone, keys.key()), now))
                .anyMatch(text -> text.contains("append the certificate of CN=authority"));
        assertThat(CredentialCheck.warnings(Credential.pem(keys.certificate(), keys.key()), now))
                .noneMatch(text -> text.contains("append"));
    }

    private static byte[] key(TestKeys keys) throws IOException {
        String text = Files.readString(keys.key(), StandardCharsets.US_ASCII);
        return Base64.getMimeDecoder().decode(text.replaceAll("-----[A-Z ]+-----", ""));
    }

    private Path pem(String label, byte[] bytes) throws IOException {
        return Files.writeString(folder.resolve("key.pem"), TestKeys.pem(label, bytes));
    }
}
