package dev.serval.examples.osp;

import dev.serval.examples.osp.message.OspStatus;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.cert.CertPathValidator;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.CMSVerifierCertificateNotValidException;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.jspecify.annotations.Nullable;

/// Decides what signatures of clients are worth. Immutable; any thread.
final class ClientSignatures {
    /// What is done with signatures.
    enum Policy {
        /// Messages may be signed; nothing is checked.
        IGNORED,

        /// The signature of a signed message must be right; others need none.
        CHECKED,

        /// Each message must have a right signature.
        REQUIRED
    }

    private static final int FILE_MAX_BYTES = 1 << 20;
    private static final int SIGNERS_MAX = 4;

    private final Policy policy;
    private final Set<X509Certificate> trusted;
    private final InstantSource clock;

    private ClientSignatures(Policy policy, Set<X509Certificate> trusted, InstantSource clock) {
        this.policy = policy;
        this.trusted = Set.copyOf(trusted);
        this.clock = clock;
    }

    /// Creates a policy.
    ///
    /// @param certificates a PEM file with the certificates of clients, or of authorities that issue
    ///     them; null only for [Policy#IGNORED]
    /// @throws IOException if the file has no certificate; the message is for people
    static ClientSignatures of(Policy policy, @Nullable Path certificates, InstantSource clock)
            throws IOException {
        Set<X509Certificate> trusted = certificates == null ? Set.of() : read(certificates);
        return new ClientSignatures(policy, trusted, clock);
    }

    private static Set<X509Certificate> read(Path file) throws IOException {
        Set<X509Certificate> found = new HashSet<>();
        try {
            if (Files.size(file) > FILE_MAX_BYTES) {
                throw new IOException(file + " has more than " + FILE_MAX_BYTES + " bytes.");
            }
            byte[] bytes = Files.readAllBytes(file);
            for (Certificate each :
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(new ByteArrayInputStream(bytes))) {
                found.add((X509Certificate) each);
            }
        } catch (NoSuchFileException e) {
            throw new IOException(
                    "The file of client certificates " + file + " does not exist: create it.", e);
        } catch (CertificateException e) {
            throw new IOException(
                    "The client certificates in "
                            + file
                            + " cannot be read ("
                            + e.getMessage()
                            + "): write them in PEM, one after the other.",
                    e);
        }
        if (found.isEmpty()) {
            throw new IOException(
                    file + " has no certificate: write them in PEM, one after the other.");
        }
        return found;
    }

    /// Returns whether a message without a signature is refused.
    boolean isRequired() {
        return policy == Policy.REQUIRED;
    }

    /// Returns success, or the status of TS 101 321 for what is wrong with a signature.
    OspStatus check(SignedBody body) {
        if (policy == Policy.IGNORED) {
            return OspStatus.SUCCESS;
        }
        OspStatus ofMessage = check(body.message(), body.signature());
        return ofMessage == OspStatus.SIGNATURE_INVALID
                ? check(body.part(), body.signature())
                : ofMessage;
    }

    private OspStatus check(byte[] content, byte[] signature) {
        try {
            CMSSignedData signed =
                    new CMSSignedData(new CMSProcessableByteArray(content), signature);
            if (signed.getSignerInfos().size() > SIGNERS_MAX) {
                return OspStatus.SECURITY_PROBLEM;
            }
            OspStatus status = OspStatus.SIGNATURE_INVALID;
            for (SignerInformation signer : signed.getSignerInfos()) {
                status = check(signed, signer);
                if (status == OspStatus.SUCCESS) {
                    return status;
                }
            }
            return status;
        } catch (CMSException | RuntimeException e) {
            // Bouncy Castle reports some malformed structures by unchecked exceptions.
            return OspStatus.SECURITY_PROBLEM;
        }
    }

    private OspStatus check(CMSSignedData signed, SignerInformation signer) {
        try {
            X509Certificate certificate = certificate(signed, signer);
            if (certificate == null || !isTrusted(certificate)) {
                return OspStatus.CERTIFICATE_INVALID;
            }
            return signer.verify(new JcaSimpleSignerInfoVerifierBuilder().build(certificate))
                    ? OspStatus.SUCCESS
                    : OspStatus.SIGNATURE_INVALID;
        } catch (CMSVerifierCertificateNotValidException | CertificateException e) {
            return OspStatus.CERTIFICATE_INVALID;
        } catch (CMSException e) {
            return OspStatus.SIGNATURE_INVALID;
        } catch (OperatorCreationException e) {
            return OspStatus.ALGORITHM_UNSUPPORTED;
        }
    }

    /// Returns the signer's certificate: the one in the signature, or one of the file.
    private @Nullable X509Certificate certificate(CMSSignedData signed, SignerInformation signer)
            throws CertificateException {
        for (X509CertificateHolder each : signed.getCertificates().getMatches(null)) {
            if (signer.getSID().match(each)) {
                return new JcaX509CertificateConverter().getCertificate(each);
            }
        }
        for (X509Certificate each : trusted) {
            if (each.getIssuerX500Principal()
                            .equals(new X500Principal(signer.getSID().getIssuer().toString()))
                    && each.getSerialNumber().equals(signer.getSID().getSerialNumber())) {
                return each;
            }
        }
        return null;
    }

    /// Returns whether the file has the certificate, or that of its issuer (RFC 5280 §6.1).
    private boolean isTrusted(X509Certificate certificate) {
        Date now = Date.from(clock.instant());
        try {
            certificate.checkValidity(now);
            if (trusted.contains(certificate)) {
                return true;
            }
            Set<TrustAnchor> anchors = new HashSet<>();
            trusted.forEach(each -> anchors.add(new TrustAnchor(each, null)));
            PKIXParameters parameters = new PKIXParameters(anchors);
            parameters.setRevocationEnabled(false);
            parameters.setDate(now);
            CertPathValidator.getInstance("PKIX")
                    .validate(
                            CertificateFactory.getInstance("X.509")
                                    .generateCertPath(List.of(certificate)),
                            parameters);
            return true;
        } catch (InvalidAlgorithmParameterException e) {
            throw new IllegalStateException(e);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
