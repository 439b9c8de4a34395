package dev.serval.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A private key with the chain of its certificate: that of the server first, then each one's issuer.
/// The key fits the first, and each certificate is signed by the next. Immutable.
///
/// @param source the file, for messages
public record Credential(String source, PrivateKey key, List<X509Certificate> chain) {
    /// For keys that name no parameters (RFC 8446 §4.2.3: the length of the salt is that of the hash).
    private static final PSSParameterSpec PSS =
            new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1);

    private static final byte[] PROBE = "serval".getBytes(StandardCharsets.US_ASCII);

    /// Copies the chain.
    public Credential {
        chain = List.copyOf(chain);
    }

    /// Returns the certificate of the server.
    public X509Certificate certificate() {
        return chain.getFirst();
    }

    /// Reads a certificate with its chain, and its key, from PEM files. Both may be the same file.
    ///
    /// @throws IOException if a file cannot be read, or they do not fit each other; the message says
    ///     which file, what is wrong and what would be right
    public static Credential pem(Path certificates, Path key) throws IOException {
        return pem(certificates, key, null);
    }

    /// Reads as [#pem(Path,Path)] does, with an encrypted key.
    ///
    /// @param passphrase a file with the passphrase in its first line; null if the key is not encrypted
    public static Credential pem(Path certificates, Path key, @Nullable Path passphrase)
            throws IOException {
        PrivateKey secret = PrivateKeys.read(key, passphrase == null ? null : line(passphrase));
        Credential credential =
                new Credential(certificates.toString(), secret, chain(certificates));
        credential.checkKey(key);
        credential.checkChain();
        return credential;
    }

    /// Reads a key and what an authority has issued for it. It puts the chain in order and leaves out what
    /// belongs to no certificate before it, because RFC 8555 §9.1 does not require either.
    ///
    /// @param source where the text comes from, for messages
    /// @param pem blocks
    /// @throws IOException if a block cannot be read, or no certificate is for the key
    public static Credential issued(String source, String pem) throws IOException {
        List<PemFile.Block> blocks = PemFile.blocks(source, pem);
        List<X509Certificate> left = new ArrayList<>(chain(source, blocks));
        Credential all = new Credential(source, PrivateKeys.of(source, blocks, null), left);
        List<X509Certificate> ordered = new ArrayList<>();
        Optional<X509Certificate> next =
                left.stream().filter(each -> all.fits(each.getPublicKey())).findFirst();
        while (next.isPresent()) {
            X509Certificate found = next.get();
            ordered.add(found);
            left.remove(found);
            next = left.stream().filter(each -> isSigned(found, each)).findFirst();
        }
        if (ordered.isEmpty()) {
            throw new IOException("No certificate in " + source + " is for the key of the order");
        }
        return new Credential(source, all.key, ordered);
    }

    private static boolean isSigned(X509Certificate certificate, X509Certificate issuer) {
        try {
            certificate.verify(issuer.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /// Reads the keys with their certificates from a file of PKCS#12.
    ///
    /// @param passphrase a file with the passphrase in its first line; null for an empty one
    /// @throws IOException if a file cannot be read or has no key; the message names it
    public static List<Credential> pkcs12(Path file, @Nullable Path passphrase) throws IOException {
        char[] secret = passphrase == null ? new char[0] : line(passphrase);
        List<Credential> all = new ArrayList<>();
        try (InputStream in = new ByteArrayInputStream(PemFile.bytes(file))) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, secret);
            for (String alias : Collections.list(store.aliases())) {
                if (store.getKey(alias, secret) instanceof PrivateKey key
                        && store.getCertificateChain(alias) != null) {
                    all.add(
                            new Credential(
                                    file.toString(), key, x509(store.getCertificateChain(alias))));
                }
            }
        } catch (IOException | GeneralSecurityException e) {
            throw new IOException(
                    file
                            + " cannot be read as PKCS#12, or not by its passphrase: "
                            + e.getMessage(),
                    e);
        }
        if (all.isEmpty()) {
            throw new IOException(file + " has no private key with its certificate");
        }
        for (Credential each : all) {
            each.checkKey(file);
            each.checkChain();
        }
        return all;
    }

    /// Returns the first line of a file.
    private static char[] line(Path file) throws IOException {
        return new String(PemFile.bytes(file), StandardCharsets.UTF_8)
                .lines()
                .findFirst()
                .orElse("")
                .toCharArray();
    }

    /// Returns the certificates of a PEM file.
    ///
    /// @throws IOException if there is none, or one cannot be read; the message names the file
    static List<X509Certificate> chain(Path file) throws IOException {
        return chain(file.toString(), PemFile.read(file));
    }

    private static List<X509Certificate> chain(String source, List<PemFile.Block> blocks)
            throws IOException {
        List<X509Certificate> chain = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (PemFile.Block block : blocks) {
                if (block.label().equals("CERTIFICATE")) {
                    chain.add(
                            (X509Certificate)
                                    factory.generateCertificate(
                                            new ByteArrayInputStream(block.bytes())));
                }
            }
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    "Certificate "
                            + (chain.size() + 1)
                            + " in "
                            + source
                            + " cannot be read: "
                            + e.getMessage(),
                    e);
        }
        if (chain.isEmpty()) {
            throw new IOException(
                    source + " has no certificate: it needs a block -----BEGIN CERTIFICATE-----");
        }
        return chain;
    }

    private static List<X509Certificate> x509(Certificate[] certificates) {
        List<X509Certificate> chain = new ArrayList<>();
        for (Certificate each : certificates) {
            if (each instanceof X509Certificate x509) {
                chain.add(x509);
            }
        }
        return chain;
    }

    private void checkKey(Path keyFile) throws IOException {
        for (int i = 0; i < chain.size(); i++) {
            if (fits(chain.get(i).getPublicKey())) {
                if (i > 0) {
                    throw new IOException(
                            "The key in "
                                    + keyFile
                                    + " belongs to certificate "
                                    + (i + 1)
                                    + " in "
                                    + source
                                    + ": put that one first");
                }
                return;
            }
        }
        throw new IOException(
                "The key in "
                        + keyFile
                        + " does not belong to the certificate in "
                        + source
                        + ", which is for "
                        + CertificateNames.text(certificate())
                        + ": name the key that it was made with");
    }

    private boolean fits(PublicKey other) {
        if (!other.getAlgorithm().equals(key.getAlgorithm())) {
            return false;
        }
        try {
            Signature signature = Signature.getInstance(algorithm());
            if (key instanceof RSAKey rsa && key.getAlgorithm().equals("RSASSA-PSS")) {
                signature.setParameter(rsa.getParams() == null ? PSS : rsa.getParams());
            }
            signature.initSign(key);
            signature.update(PROBE);
            byte[] signed = signature.sign();
            signature.initVerify(other);
            signature.update(PROBE);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private String algorithm() {
        return switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
    }

    private void checkChain() throws IOException {
        for (int i = 0; i + 1 < chain.size(); i++) {
            if (!isSigned(chain.get(i), chain.get(i + 1))) {
                throw new IOException(
                        "Certificate "
                                + (i + 2)
                                + " in "
                                + source
                                + " did not sign certificate "
                                + (i + 1)
                                + ", whose issuer is "
                                + chain.get(i).getIssuerX500Principal()
                                + ": the issuer of each must follow it");
            }
        }
    }
}
