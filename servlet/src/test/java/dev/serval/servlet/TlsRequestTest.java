package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.ListenerSpec;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import dev.serval.testkit.mode.EveryMode;
import dev.serval.testkit.mode.Mode;
import dev.serval.tls.ClientCertificates;
import dev.serval.tls.JdkTls;
import dev.serval.tls.KeyFiles;
import dev.serval.tls.TlsProfile;
import dev.serval.tls.TlsSettings;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What an application sees of a request that came by TLS (Servlet 6.1 §3.10), over HTTP/1.1 and over
/// HTTP/2.
@EveryMode
@Timeout(60)
final class TlsRequestTest {
    private static final TestKeys KEYS = TestKeys.local();
    private static final String PREFIX = "jakarta.servlet.request.";
    private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

    @ParameterizedTest
    @CsvSource({
        "TLSv1.3, TLS_AES_256_GCM_SHA384, 256",
        "TLSv1.3, TLS_CHACHA20_POLY1305_SHA256, 256",
        "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, 128",
    })
    void attributesTellTheEncryption(String protocol, String suite, int bits) throws IOException {
        RawResponse response =
                get(
                        request ->
                                request.getScheme()
                                        + " "
                                        + request.isSecure()
                                        + " "
                                        + request.getAttribute(PREFIX + "secure_protocol")
                                        + " "
                                        + request.getAttribute(PREFIX + "cipher_suite")
                                        + " "
                                        + request.getAttribute(PREFIX + "key_size")
                                        + " "
                                        + request.getAttribute(PREFIX + "X509Certificate")
                                        + " "
                                        + request.getAttribute(PREFIX + "other"),
                        TlsClient.of(KEYS.trusting(), protocol).suites(suite));
        assertThat(response.text())
                .isEqualTo("https true " + protocol + " " + suite + " " + bits + " null null");
    }

    @Test
    void attributesOfTlsAreListed() throws IOException {
        RawResponse response =
                get(request -> String.join(",", names(request)), TlsClient.of(KEYS.trusting()));
        assertThat(response.text())
                .contains("secure_protocol", "cipher_suite", "key_size", "ssl_session_id")
                .doesNotContain("X509Certificate");
    }

    @Test
    void anAttributeOfTheApplicationComesFirst() throws IOException {
        RawResponse response =
                get(
                        request -> {
                            request.setAttribute(PREFIX + "cipher_suite", "mine");
                            return String.valueOf(request.getAttribute(PREFIX + "cipher_suite"));
                        },
                        TlsClient.of(KEYS.trusting()));
        assertThat(response.text()).isEqualTo("mine");
    }

    @Test
    void sessionIdIsHexadecimal() throws IOException {
        RawResponse response =
                get(
                        request -> String.valueOf(request.getAttribute(PREFIX + "ssl_session_id")),
                        TlsClient.of(KEYS.trusting()));
        assertThat(response.text()).matches("([0-9a-f]{2})+");
    }

    @Test
    void certificateOfTheClientIsAnAttribute() throws IOException {
        SSLContext showing = KEYS.showing(KEYS);
        RawResponse response =
                get(
                        request -> {
                            X509Certificate[] chain =
                                    (X509Certificate[])
                                            request.getAttribute(PREFIX + "X509Certificate");
                            return chain.length
                                    + " "
                                    + chain[0].getSubjectX500Principal()
                                    + " "
                                    + names(request).contains(PREFIX + "X509Certificate");
                        },
                        TlsClient.of(showing));
        assertThat(response.text()).isEqualTo("1 CN=test true");
    }

    @Test
    void plainRequestHasNoSuchAttributes() throws IOException {
        try (ServletServer server = start(request -> String.join(",", names(request)))) {
            assertThat(server.get("/").text()).isEmpty();
        }
    }

    /// The cookie of a session is Secure by default only if the session began by TLS.
    @Test
    void cookieOfTheSessionIsSecure() throws IOException {
        RawResponse response =
                get(request -> request.getSession().getId(), TlsClient.of(KEYS.trusting()));
        assertThat(response.field("Set-Cookie")).contains("; Secure");
    }

    /// What a servlet answers.
    private interface Answer {
        String of(HttpServletRequest request);
    }

    private static List<String> names(HttpServletRequest request) {
        return Collections.list(request.getAttributeNames());
    }

    private static ServletServer start(Answer answer) throws IOException {
        return ServletServer.start(
                WebApp.at("")
                        .servlet(
                                "/*",
                                new CodeServlet((request, response) ->
                                        response.getWriter().write(answer.of(request)))));
    }

    private static RawResponse get(Answer answer, TlsClient tls) throws IOException {
        try (ServletServer server = start(answer)) {
            SocketAddress address =
                    server.server()
                            .open(
                                    new ListenerSpec(
                                                    new InetSocketAddress(
                                                            InetAddress.getLoopbackAddress(), 0))
                                            .withTls(JdkTls.of(settings())));
            Mode mode = Mode.current().isHttp2() ? Mode.H2 : Mode.H1_TLS;
            try (RawClient client = RawClient.connect(address, tls, mode)) {
                return client.exchange(GET);
            }
        }
    }

    private static TlsSettings settings() {
        return new TlsSettings(
                List.of(new KeyFiles(KEYS.certificate(), KEYS.key())),
                TlsProfile.INTERMEDIATE,
                new ClientCertificates(ClientCertificates.Asked.WANT, KEYS.certificate()));
    }
}
