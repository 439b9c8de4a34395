package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Login by DIGEST in a running server (RFC 7616).
@EveryMode
@Timeout(120)
final class DigestTest {
    private static final UserStore USERS =
            UserStore.inMemory().user("ada", "s3cret", "staff").build();
    private static final String CONFIG =
            "<login-config><auth-method>DIGEST</auth-method><realm-name>shop</realm-name>"
                    + "</login-config>"
                    + "<security-role><role-name>staff</role-name></security-role>";
    private static final String STAFF =
            "<auth-constraint><role-name>staff</role-name></auth-constraint>";

    private static AppFolder files() {
        return new AppFolder()
                .file(
                        "WEB-INF/web.xml",
                        SecurityTest.webXml(SecurityTest.constraint("/*", STAFF) + CONFIG));
    }

    private static ServletServer serve(AppFolder folder) throws IOException {
        return ServletServer.start(
                WebApp.of("/app", folder.root())
                        .servlet(
                                "/who",
                                new CodeServlet((request, response) -> {
                                    response.setCharacterEncoding("UTF-8");
                                    response.getWriter()
                                            .print(
                                                    request.getAuthType()
                                                            + " "
                                                            + request.getRemoteUser());
                                })),
                USERS);
    }

    private static String hash(String text) {
        try {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /// What a challenge has sent, and who answers it.
    private record Client(String nonce, String opaque, String name, String password) {
        static Client of(RawResponse asked, String name, String password) {
            assertThat(asked.status()).isEqualTo(401);
            String challenge = String.valueOf(asked.field("WWW-Authenticate"));
            assertThat(challenge)
                    .startsWith("Digest realm=\"shop\", qop=\"auth\", algorithm=SHA-256, nonce=\"");
            return new Client(part(challenge, "nonce"), part(challenge, "opaque"), name, password);
        }

        private static String part(String challenge, String name) {
            Matcher found = Pattern.compile(name + "=\"([^\"]+)\"").matcher(challenge);
            assertThat(found.find()).isTrue();
            return found.group(1);
        }

        String answer(String method, String uri, int count) {
            String nc = "%08x".formatted(count);
            String secret = hash(name + ":shop:" + password);
            String response =
                    hash(
                            String.join(
                                    ":",
                                    secret,
                                    nonce,
                                    nc,
                                    "mine",
                                    "auth",
                                    hash(method + ":" + uri)));
            return "Authorization: Digest username=\""
                    + name
                    + "\", realm=\"shop\", nonce=\""
                    + nonce
                    + "\", uri=\""
                    + uri
                    + "\", algorithm=SHA-256, qop=auth, nc="
                    + nc
                    + ", cnonce=\"mine\", response=\""
                    + response
                    + "\", opaque=\""
                    + opaque
                    + "\"";
        }
    }

    @Test
    void rightAnswerLogsIn() throws IOException {
        try (AppFolder folder = files();
                ServletServer server = serve(folder)) {
            Client ada = Client.of(server.get("/app/who"), "ada", "s3cret");
            assertThat(server.get("/app/who", ada.answer("GET", "/app/who", 1)).text())
                    .isEqualTo("DIGEST ada");
            assertThat(server.get("/app/who?a=b", ada.answer("GET", "/app/who?a=b", 2)).text())
                    .isEqualTo("DIGEST ada");
        }
    }

    @Test
    void wrongPasswordNameMethodOrTargetIsRefused() throws IOException {
        try (AppFolder folder = files();
                ServletServer server = serve(folder)) {
            RawResponse asked = server.get("/app/who");
            for (Client wrong :
                    new Client[] {
                        Client.of(asked, "ada", "guess"), Client.of(asked, "eve", "s3cret"),
                    }) {
                RawResponse refused = server.get("/app/who", wrong.answer("GET", "/app/who", 1));
                assertThat(refused.status()).isEqualTo(401);
                assertThat(refused.field("WWW-Authenticate")).doesNotContain("stale");
            }
            Client ada = Client.of(asked, "ada", "s3cret");
            assertThat(server.get("/app/who", ada.answer("POST", "/app/who", 1)).status())
                    .isEqualTo(401);
            assertThat(server.get("/app/who", ada.answer("GET", "/app/other", 1)).status())
                    .isEqualTo(401);
            assertThat(server.get("/app/who", ada.answer("GET", "/app/who", 1)).status())
                    .isEqualTo(200); // none of these has used the count
        }
    }

    @Test
    void replayedAnswerIsStale() throws IOException {
        try (AppFolder folder = files();
                ServletServer server = serve(folder)) {
            Client ada = Client.of(server.get("/app/who"), "ada", "s3cret");
            String answer = ada.answer("GET", "/app/who", 1);
            assertThat(server.get("/app/who", answer).status()).isEqualTo(200);
            RawResponse replayed = server.get("/app/who", answer);
            assertThat(replayed.status()).isEqualTo(401);
            assertThat(replayed.field("WWW-Authenticate")).endsWith(", stale=true");
            // The client repeats the request with the new nonce, without asking its user.
            Client again = Client.of(replayed, "ada", "s3cret");
            assertThat(server.get("/app/who", again.answer("GET", "/app/who", 1)).status())
                    .isEqualTo(200);
        }
    }

    /// The client of an earlier version of the application repeats its request, without asking its
    /// user. A wrong password is no reason for that.
    @Test
    void challengeOfAnEarlierVersionIsStale() throws IOException {
        try (AppFolder folder = files();
                ServletServer server = serve(folder)) {
            Client ada = Client.of(server.get("/app/who"), "ada", "s3cret");
            Client earlier = new Client(ada.nonce(), "of-before", "ada", "s3cret");
            RawResponse refused = server.get("/app/who", earlier.answer("GET", "/app/who", 1));
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.field("WWW-Authenticate")).endsWith(", stale=true");
            Client guess = new Client(ada.nonce(), "of-before", "ada", "guess");
            refused = server.get("/app/who", guess.answer("GET", "/app/who", 2));
            assertThat(refused.field("WWW-Authenticate")).doesNotContain("stale");
        }
    }

    @Test
    void nonceThatTheServerDidNotMakeIsStale() throws IOException {
        try (AppFolder folder = files();
                ServletServer server = serve(folder)) {
            Client ada = Client.of(server.get("/app/who"), "ada", "s3cret");
            Client forged = new Client("A".repeat(43), ada.opaque(), "ada", "s3cret");
            RawResponse refused = server.get("/app/who", forged.answer("GET", "/app/who", 1));
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.field("WWW-Authenticate")).endsWith(", stale=true");
        }
    }
}
