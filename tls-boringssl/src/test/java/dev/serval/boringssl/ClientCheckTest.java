package dev.serval.boringssl;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.internal.tcnative.CertificateVerifier;
import java.io.IOException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class ClientCheckTest {
    @BeforeAll
    static void load() throws IOException {
        NativeLibrary.load();
    }

    @Test
    void clientIsToldTheReason() {
        assertThat(ClientCheck.code(new CertificateException(new CertificateExpiredException())))
                .isEqualTo(CertificateVerifier.X509_V_ERR_CERT_HAS_EXPIRED);
        assertThat(ClientCheck.code(new CertificateException(failed(BasicReason.REVOKED))))
                .isEqualTo(CertificateVerifier.X509_V_ERR_CERT_REVOKED);
        assertThat(ClientCheck.code(new CertificateException(failed(BasicReason.UNSPECIFIED))))
                .isEqualTo(CertificateVerifier.X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT);
        assertThat(ClientCheck.code(new CertificateException("no path")))
                .isEqualTo(CertificateVerifier.X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT);
    }

    private static CertPathValidatorException failed(BasicReason reason) {
        return new CertPathValidatorException("meant by the test", null, null, -1, reason);
    }
}
