package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.ListenerSpec;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import dev.serval.tls.ClientCertificates;
import dev.serval.tls.JdkTls;
import dev.serval.tls.KeyFiles;
import dev.serval.tls.TlsProfile;
import dev.serval.tls.TlsSettings;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// CLIENT-CERT in a running server (Servlet 6.1 §13.6.4).
@Timeout(120)
final class CertificateLoginTest {
    private static final TestKeys SERVER = TestKeys.local();
    private static final TestKeys CLIENT =
            TestKeys.make("EC", "dns:client.test", "-dname", "CN=ada,OU=CN,O=Example");
    private static final String GET = "GET /secret HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String WEB_XML =
            SecurityTest.webXml(
                    SecurityTest.constraint(
                                    "/secret",
                                    "<auth-constraint><role-name>staff</role-name></auth-constraint>")
                            + "<login-config><auth-method>CLIENT-CERT</auth-method></login-config>"
                            + "<security-role><role-name>staff</role-name></security-role>");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ada                     | staff | 200",
                "CN=ada,OU=CN,O=Example  | staff | 200",
                "ada                     | guest | 403",
                "bob                     | staff | 403",
                "CN=ada                  | staff | 403",
            })
    void subjectNamesTheUser(String name, String role, int status) throws IOException {
        UserStore users = UserStore.inMemory().user(name, "s3cret", role).build();
        RawResponse answer = get(users, CLIENT.showing(SERVER));
        assertThat(answer.status()).isEqualTo(status);
        if (status == 200) {
            assertThat(answer.text()).isEqualTo("CLIENT_CERT " + name + " true");
        }
    }

    @Test
    void wholeSubjectComesFirst() throws IOException {
        UserStore users =
                UserStore.inMemory()
                        .user("ada", "s3cret", "staff")
                        .user("CN=ada,OU=CN,O=Example", "s3cret", "guest")
                        .build();
        assertThat(get(users, CLIENT.showing(SERVER)).status()).isEqualTo(403);
    }

    /// No other part of the subject names a user.
    @Test
    void certificateWithoutACommonNameNamesItsSubjectOnly() throws IOException {
        TestKeys nameless = TestKeys.make("EC", "dns:client.test", "-dname", "OU=ada,O=Example");
        UserStore ada = UserStore.inMemory().user("ada", "s3cret", "staff").build();
        assertThat(get(ada, nameless.showing(SERVER), nameless).status()).isEqualTo(403);
        UserStore whole = UserStore.inMemory().user("OU=ada,O=Example", "s3cret", "staff").build();
        assertThat(get(whole, nameless.showing(SERVER), nameless).status()).isEqualTo(200);
    }

    @Test
    void clientWithoutACertificateIsRefused() throws IOException {
        UserStore users = UserStore.inMemory().user("ada", "s3cret", "staff").build();
        assertThat(get(users, SERVER.trusting()).status()).isEqualTo(403);
    }

    /// Servlet 6.1, HttpServletRequest.login: the mechanism of the application takes no passwords.
    @Test
    void passwordsDoNotCount() throws IOException {
        UserStore users = UserStore.inMemory().user("ada", "s3cret", "staff").build();
        AppFolder folder = new AppFolder().file("WEB-INF/web.xml", WEB_XML);
        WebApp.Builder app =
                WebApp.of("", folder.root())
                        .servlet(
                                "/login",
                                new CodeServlet((request, response) -> {
                                    try {
                                        request.login("ada", "s3cret");
                                        response.getWriter().print("in");
                                    } catch (ServletException e) {
                                        response.getWriter().print("refused");
                                    }
                                }));
        try (ServletServer server = ServletServer.start(app, users)) {
            assertThat(server.get("/login").text()).isEqualTo("refused");
        }
    }

    private static RawResponse get(UserStore users, SSLContext context) throws IOException {
        return get(users, context, CLIENT);
    }

    private static RawResponse get(UserStore users, SSLContext context, TestKeys trusted)
            throws IOException {
        AppFolder folder = new AppFolder().file("WEB-INF/web.xml", WEB_XML);
        WebApp.Builder app =
                WebApp.of("", folder.root())
                        .servlet(
                                "/secret",
                                new CodeServlet((request, response) ->
                                        response.getWriter()
                                                .print(
                                                        request.getAuthType()
                                                                + " "
                                                                + request.getRemoteUser()
                                                                + " "
                                                                + request.isUserInRole("staff"))));
        try (ServletServer server = ServletServer.start(app, users)) {
            SocketAddress address =
                    server.server()
                            .open(
                                    new ListenerSpec(
                                                    new InetSocketAddress(
                                                            InetAddress.getLoopbackAddress(), 0))
                                            .withTls(JdkTls.of(settings(trusted))));
            try (RawClient client = RawClient.connect(address, TlsClient.of(context))) {
                return client.exchange(GET);
            }
        }
    }

    private static TlsSettings settings(TestKeys trusted) {
        return new TlsSettings(
                List.of(new KeyFiles(SERVER.certificate(), SERVER.key())),
                TlsProfile.INTERMEDIATE,
                new ClientCertificates(ClientCertificates.Asked.WANT, trusted.certificate()));
    }
}
