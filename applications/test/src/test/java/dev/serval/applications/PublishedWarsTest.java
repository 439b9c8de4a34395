package dev.serval.applications;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Applications that other projects publish as WARs, unchanged. The build copies them.
@Timeout(300)
final class PublishedWarsTest {
    private static final Path WARS = Path.of("target", "wars");

    @TempDir Path folder;

    @Test
    void hawtioShowsItsConsole() throws Exception {
        try (AppServer server = AppServer.start(folder, WARS.resolve("hawtio-war.war"))) {
            HttpResponse<String> entry = server.get("");
            assertThat(entry.statusCode()).isEqualTo(302);
            assertThat(entry.headers().firstValue("X-Frame-Options")).isPresent(); // by a filter
            String place = entry.headers().firstValue("Location").orElseThrow();
            HttpResponse<String> page = server.get(server.at(place).getPath().substring(1));
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.body()).contains("<title>Hawtio");
        }
    }

    /// Its descriptor demands the role `jolokia`, by BASIC.
    @Test
    void jolokiaReadsTheMemoryOfTheServerForItsUser() throws Exception {
        Path users = Files.writeString(folder.resolve("users.txt"), "ann jolokia " + hash("right"));
        String[] withUsers = {"--users", users.toString()};
        Path war = WARS.resolve("jolokia-agent-war.war");
        try (AppServer server = AppServer.start(folder, war, withUsers)) {
            assertThat(server.get("version").statusCode()).isEqualTo(401);
            assertThat(read(server, "ann:wrong").statusCode()).isEqualTo(401);
            HttpResponse<String> answer = read(server, "ann:right");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).contains("\"status\":200", "\"committed\":");
        }
    }

    private static HttpResponse<String> read(AppServer server, String credentials)
            throws Exception {
        String encoded =
                Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
        return server.send(
                HttpRequest.newBuilder(server.at(""))
                        .header("Authorization", "Basic " + encoded)
                        .POST(
                                HttpRequest.BodyPublishers.ofString(
                                        """
                                        {"type": "read", "mbean": "java.lang:type=Memory",
                                         "attribute": "HeapMemoryUsage"}
                                        """)));
    }

    /// Returns the hash of a password as a users file has it.
    private static String hash(String password) throws GeneralSecurityException {
        byte[] salt = "sixteen bytes ok".getBytes(StandardCharsets.UTF_8);
        byte[] hash =
                SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                        .generateSecret(new PBEKeySpec(password.toCharArray(), salt, 1_000, 256))
                        .getEncoded();
        Base64.Encoder base64 = Base64.getEncoder();
        return "pbkdf2-sha256:1000:"
                + base64.encodeToString(salt)
                + ":"
                + base64.encodeToString(hash);
    }

    @Test
    void jettyDemonstratesPages() throws Exception {
        Path war = WARS.resolve("jetty-ee10-demo-jsp-webapp.war");
        try (AppServer server = AppServer.start(folder, war)) {
            assertThat(server.get("dump.jsp").statusCode()).isEqualTo(200);
            assertThat(server.get("bean1.jsp").body()).contains("Counter accessed");
            assertThat(server.get("expr.jsp").body()).contains("<td>${1+1}</td>", "<td>2</td>");
        }
    }
}
