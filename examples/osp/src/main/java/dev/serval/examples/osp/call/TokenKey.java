package dev.serval.examples.osp.call;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/// The key that signs tokens, and its certificate. Both are PEM files in the state folder and are
/// made at the first start. Immutable.
///
/// @param privateKey RSA of 2,048 bits or EC on P-256
/// @param certificate signed by the key itself
/// @param holder the certificate in the form of Bouncy Castle
public record TokenKey(
        PrivateKey privateKey, X509Certificate certificate, X509CertificateHolder holder) {
    private static final String KEY_FILE = "token-key.pem";
    private static final String CERTIFICATE_FILE = "token-certificate.pem";
    private static final Duration LIFE = Duration.ofDays(3650);

    /// The kind of a new key.
    public enum Kind {
        /// Every OSP client knows it.
        RSA,

        /// Signs about five times as fast.
        EC
    }

    /// Opens the key of a folder, or makes one of `kind` if there is none.
    ///
    /// @throws IOException if the files cannot be read or written, or are not a key
    public static TokenKey open(Path folder, Kind kind, SecureRandom random, Instant now)
            throws IOException {
        try {
            if (!Files.exists(folder.resolve(KEY_FILE))) {
                make(folder, kind, random, now);
            }
            X509Certificate certificate =
                    (X509Certificate)
                            CertificateFactory.getInstance("X.509")
                                    .generateCertificate(
                                            new ByteArrayInputStream(
                                                    Files.readAllBytes(
                                                            folder.resolve(CERTIFICATE_FILE))));
            String pem = Files.readString(folder.resolve(KEY_FILE));
            byte[] encoded =
                    Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", "").strip());
            PrivateKey key =
                    KeyFactory.getInstance(certificate.getPublicKey().getAlgorithm())
                            .generatePrivate(new PKCS8EncodedKeySpec(encoded));
            return new TokenKey(key, certificate, new JcaX509CertificateHolder(certificate));
        } catch (GeneralSecurityException
                | OperatorCreationException
                | IllegalArgumentException e) {
            throw new IOException(
                    "The token key in "
                            + folder
                            + " cannot be used ("
                            + e.getMessage()
                            + "): remove "
                            + KEY_FILE
                            + " and "
                            + CERTIFICATE_FILE
                            + " to have a new one made.",
                    e);
        }
    }

    /// Returns the name of the signature algorithm.
    public String algorithm() {
        return privateKey.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
    }

    private static void make(Path folder, Kind kind, SecureRandom random, Instant now)
            throws GeneralSecurityException, OperatorCreationException, IOException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(kind == Kind.RSA ? "RSA" : "EC");
        switch (kind) {
            case RSA -> generator.initialize(2048, random);
            case EC -> generator.initialize(new ECGenParameterSpec("secp256r1"), random);
        }
        KeyPair pair = generator.generateKeyPair();
        // The OSP toolkit of Debian reads names as PrintableString only, not as UTF8String.
        X500Name name =
                new X500NameBuilder(BCStyle.INSTANCE)
                        .addRDN(BCStyle.CN, new DERPrintableString("Serval OSP example"))
                        .build();
        X509CertificateHolder holder =
                new JcaX509v3CertificateBuilder(
                                name,
                                new BigInteger(120, random).setBit(119),
                                Date.from(now.minus(Duration.ofDays(1))),
                                Date.from(now.plus(LIFE)),
                                name,
                                pair.getPublic())
                        .build(
                                new JcaContentSignerBuilder(
                                                kind == Kind.RSA
                                                        ? "SHA256withRSA"
                                                        : "SHA256withECDSA")
                                        .build(pair.getPrivate()));
        Files.createDirectories(folder);
        // The key comes last: its presence says that both are complete.
        Files.writeString(
                folder.resolve(CERTIFICATE_FILE), pem("CERTIFICATE", holder.getEncoded()));
        Path key = folder.resolve(KEY_FILE + ".new");
        Files.deleteIfExists(key);
        Files.createFile(
                key,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(
                key, pem("PRIVATE KEY", pair.getPrivate().getEncoded()), StandardOpenOption.WRITE);
        Files.move(key, folder.resolve(KEY_FILE));
    }

    private static String pem(String type, byte[] encoded) {
        Base64.Encoder lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));
        return "-----BEGIN "
                + type
                + "-----\n"
                + lines.encodeToString(encoded)
                + "\n-----END "
                + type
                + "-----\n";
    }
}
