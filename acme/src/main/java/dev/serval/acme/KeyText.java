package dev.serval.acme;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Keys and certificates as PEM blocks (RFC 7468), by the JDK. Stateless.
final class KeyText {
    private static final String PRIVATE = "PRIVATE KEY";
    private static final String PUBLIC = "PUBLIC KEY";
    private static final int LINE = 64;
    private static final int CHALLENGE_BITS = 2048;

    private KeyText() {}

    /// Makes a key for an account or a certificate.
    static KeyPair make() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JDK has no P-256", e);
        }
    }

    /// Makes a key for the certificate of a challenge, which acme4j signs by RSA only.
    static KeyPair makeForChallenge() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(CHALLENGE_BITS);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JDK has no RSA", e);
        }
    }

    /// Returns both keys, because the JDK does not derive a public key from a private one.
    static String of(KeyPair keys) {
        return block(PRIVATE, keys.getPrivate().getEncoded())
                + block(PUBLIC, keys.getPublic().getEncoded());
    }

    /// Returns the private key, and then the certificates.
    static String of(PrivateKey key, List<X509Certificate> chain) throws IOException {
        StringBuilder text = new StringBuilder(block(PRIVATE, key.getEncoded()));
        try {
            for (X509Certificate each : chain) {
                text.append(block("CERTIFICATE", each.getEncoded()));
            }
        } catch (CertificateEncodingException e) {
            throw new IOException("A certificate of the authority cannot be written", e);
        }
        return text.toString();
    }

    /// Reads what [#of(KeyPair)] has written.
    static KeyPair read(String text) throws IOException {
        try {
            KeyFactory factory = KeyFactory.getInstance("EC");
            return new KeyPair(
                    factory.generatePublic(new X509EncodedKeySpec(bytes(text, PUBLIC))),
                    factory.generatePrivate(new PKCS8EncodedKeySpec(bytes(text, PRIVATE))));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException("The keys cannot be read: " + e.getMessage(), e);
        }
    }

    private static String block(String label, byte[] bytes) {
        return "-----BEGIN "
                + label
                + "-----\n"
                + Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(bytes)
                + "\n-----END "
                + label
                + "-----\n";
    }

    private static byte[] bytes(String text, String label) throws IOException {
        Matcher found =
                Pattern.compile("-----BEGIN " + label + "-----([^-]*)-----END").matcher(text);
        if (!found.find()) {
            throw new IOException("There is no block \"" + label + "\"");
        }
        return Base64.getMimeDecoder().decode(found.group(1));
    }
}
