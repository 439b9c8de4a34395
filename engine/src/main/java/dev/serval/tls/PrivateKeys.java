package dev.serval.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/// Reads the private key of a PEM file: PKCS#8 (RFC 5958), encrypted or not, PKCS#1 (RFC 8017) and
/// SEC 1 (RFC 5915).
final class PrivateKeys {
    private static final String RSA_ID = "2a864886f70d010101";
    private static final String EC_ID = "2a8648ce3d0201";

    /// The names of key factories by the object identifier of PKCS#8, without tag and length.
    private static final Map<String, String> ALGORITHMS =
            Map.of(
                    RSA_ID,
                    "RSA",
                    "2a864886f70d01010a",
                    "RSASSA-PSS",
                    EC_ID,
                    "EC",
                    "2b6570",
                    "EdDSA",
                    "2b6571",
                    "EdDSA");

    private static final byte[] ZERO = Der.element(Der.INTEGER, new byte[1]);

    private PrivateKeys() {}

    /// Returns the first key of a file.
    ///
    /// @param passphrase of an encrypted key; null if there is none
    /// @throws IOException if there is no key, or it cannot be read; the message names the file
    static PrivateKey read(Path file, char @Nullable [] passphrase) throws IOException {
        return of(file.toString(), PemFile.read(file), passphrase);
    }

    /// Returns the first key of some blocks.
    ///
    /// @param source where they come from, for messages
    static PrivateKey of(String source, List<PemFile.Block> blocks, char @Nullable [] passphrase)
            throws IOException {
        for (PemFile.Block block : blocks) {
            if (block.label().endsWith("PRIVATE KEY")) {
                return key(source, block, passphrase);
            }
        }
        throw new IOException(
                source
                        + (blocks.isEmpty()
                                ? " is no PEM file: it has no line that begins with -----BEGIN"
                                : " has no private key: it has only " + blocks.getFirst().label()));
    }

    private static PrivateKey key(String source, PemFile.Block block, char @Nullable [] passphrase)
            throws IOException {
        try {
            return switch (block.label()) {
                case "PRIVATE KEY" -> pkcs8(block.bytes());
                case "RSA PRIVATE KEY" -> pkcs8(fromPkcs1(block.bytes()));
                case "EC PRIVATE KEY" -> pkcs8(fromSec1(block.bytes()));
                case "ENCRYPTED PRIVATE KEY" -> pkcs8(decrypted(source, block.bytes(), passphrase));
                default ->
                        throw new IOException(
                                "keys of the form " + block.label() + " are not supported");
            };
        } catch (IOException | GeneralSecurityException e) {
            throw new IOException(
                    "The private key in " + source + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static PrivateKey pkcs8(byte[] bytes) throws IOException, GeneralSecurityException {
        Der key = Der.of(bytes).enter(Der.SEQUENCE);
        key.enter(Der.INTEGER);
        byte[] id = key.enter(Der.SEQUENCE).enter(Der.OBJECT_ID).rest();
        @Nullable String algorithm = ALGORITHMS.get(HexFormat.of().formatHex(id));
        if (algorithm == null) {
            throw new IOException("its algorithm is none of RSA, EC and EdDSA");
        }
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
    }

    private static byte[] fromPkcs1(byte[] bytes) {
        return wrapped(RSA_ID, Der.element(Der.NULL), bytes);
    }

    /// The curve is in the key, and must also stand outside of it.
    private static byte[] fromSec1(byte[] bytes) throws IOException {
        Der key = Der.of(bytes).enter(Der.SEQUENCE);
        key.enter(Der.INTEGER);
        key.enter(Der.OCTETS);
        if (!key.isNext(Der.CONTEXT_0)) {
            throw new IOException("it does not name its curve");
        }
        return wrapped(EC_ID, key.enter(Der.CONTEXT_0).rest(), bytes);
    }

    private static byte[] wrapped(String algorithm, byte[] parameters, byte[] key) {
        byte[] id = Der.element(Der.OBJECT_ID, HexFormat.of().parseHex(algorithm));
        return Der.element(
                Der.SEQUENCE,
                ZERO,
                Der.element(Der.SEQUENCE, id, parameters),
                Der.element(Der.OCTETS, key));
    }

    private static byte[] decrypted(String source, byte[] bytes, char @Nullable [] passphrase)
            throws IOException, GeneralSecurityException {
        if (passphrase == null) {
            throw new IOException("it is encrypted, and no file with its passphrase is named");
        }
        EncryptedPrivateKeyInfo key = new EncryptedPrivateKeyInfo(bytes);
        // For PBES2, only the text of the parameters has the name that the JDK's factories know.
        String name =
                key.getAlgName().equals("PBES2")
                        ? key.getAlgParameters().toString()
                        : key.getAlgName();
        Cipher cipher = Cipher.getInstance(name);
        cipher.init(
                Cipher.DECRYPT_MODE,
                SecretKeyFactory.getInstance(name).generateSecret(new PBEKeySpec(passphrase)),
                key.getAlgParameters());
        try {
            byte[] decrypted = cipher.doFinal(key.getEncryptedData());
            Der.of(decrypted).enter(Der.SEQUENCE).enter(Der.INTEGER);
            return decrypted;
        } catch (GeneralSecurityException | IOException e) { // one of 256 has a right padding
            throw new IOException("the passphrase does not fit it (" + source + ")", e);
        }
    }
}
