package dev.serval.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.serval.Serval;
import dev.serval.handler.Body;
import dev.serval.handler.Handler;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.servlet.UsersFile;
import dev.serval.servlet.password.KeyedHash;
import dev.serval.servlet.request.Identity;
import dev.serval.servlet.users.PasswordHash;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BasicAccessTest {
    /// Answers with the user, and whether it sees credentials.
    private static final Handler SAYS =
            x -> {
                String text =
                        x.request().user()
                                + " "
                                + x.request().fields().contains(FieldName.AUTHORIZATION);
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                x.response()
                        .send(
                                new ResponseHead(Status.OK, new Fields(), bytes.length),
                                Body.Bytes.of(bytes));
            };

    @TempDir private Path folder;

    private Path users() throws IOException {
        String file = line("ann", "admin", "right") + line("j\u00f6rg", "-", "p\u00e4ss");
        return Files.writeString(folder.resolve("users"), file);
    }

    /// With fewer iterations than `serval user add` has, which take most of a second each.
    private static String line(String name, String roles, String password) {
        PasswordHash hash = PasswordHash.of(password, 1_000, new SecureRandom());
        return name + " " + roles + " " + hash.text() + "\n";
    }

    private static Serval server(SiteUsers users, Set<String> roles) throws IOException {
        return Serval.listen(0)
                .withoutFlagWarning()
                .mount("/", new BasicAccess(users, "the site", roles), SAYS)
                .start();
    }

    private static RawResponse get(Serval server, String... fields) {
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            StringBuilder text = new StringBuilder("GET /a HTTP/1.1\r\nHost: h\r\n");
            for (String field : fields) {
                text.append(field).append("\r\n");
            }
            client.send(text + "\r\n");
            return client.answer();
        }
    }

    private static String basic(String user, String password) {
        byte[] bytes = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Authorization: Basic " + Base64.getEncoder().encodeToString(bytes);
    }

    @Test
    void letsInUsersAndPassesNoPasswordOn() throws IOException {
        try (Serval server = server(SiteUsers.open(users()), Set.of())) {
            for (int i = 0; i < 3; i++) { // the second is known to the loop
                assertThat(get(server, basic("ann", "right")).text()).isEqualTo("ann false");
            }
            assertThat(get(server, basic("j\u00f6rg", "p\u00e4ss")).status()).isEqualTo(200);
        }
    }

    @Test
    void challengesAllOthers() throws IOException {
        try (Serval server = server(SiteUsers.open(users()), Set.of())) {
            assertThat(get(server).status()).isEqualTo(401);
            assertThat(get(server).field("WWW-Authenticate"))
                    .isEqualTo("Basic realm=\"the site\", charset=\"UTF-8\"");
            assertThat(get(server, basic("ann", "wrong")).status()).isEqualTo(401);
            assertThat(get(server, basic("bob", "right")).status()).isEqualTo(401);
            assertThat(get(server, "Authorization: Bearer x").status()).isEqualTo(401);
            assertThat(get(server, "Authorization: Basic %%").status()).isEqualTo(401);
            assertThat(get(server, "Authorization: Basic " + "a".repeat(9_000)).status())
                    .isEqualTo(401);
        }
    }

    @Test
    void asksForARole() throws IOException {
        try (Serval server = server(SiteUsers.open(users()), Set.of("admin", "other"))) {
            assertThat(get(server, basic("ann", "right")).status()).isEqualTo(200);
            assertThat(get(server, basic("j\u00f6rg", "p\u00e4ss")).status()).isEqualTo(403);
        }
    }

    @Test
    void noticesAUserWhoIsRemoved() throws IOException {
        Path file = users();
        try (Serval server = server(SiteUsers.open(file), Set.of())) {
            assertThat(get(server, basic("ann", "right")).status()).isEqualTo(200);
            UsersFile.remove(file, "ann");
            Await.until(
                    "the user is refused",
                    () -> get(server, basic("ann", "right")).status() == 401);
        }
    }

    @Test
    void slowsDownGuessesForAllMountsTogether() throws IOException {
        SiteUsers users = SiteUsers.open(users());
        try (Serval one = server(users, Set.of());
                Serval other = server(users, Set.of())) {
            for (int i = 0; i < 4; i++) {
                get(i % 2 == 0 ? one : other, basic("ann", "wrong" + i));
            }
            assertThat(users.verifier().counters().slowed()).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"r\u00e9alm", "a\r\nb"})
    void refusesARealmThatChallengesCannotHave(String realm) throws IOException {
        SiteUsers users = SiteUsers.open(users());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BasicAccess(users, realm, Set.of()))
                .withMessageContaining("A realm must have only");
    }

    @Test
    void remembersForASecondAndNotTooMany() throws IOException {
        RecentLogins recent = new RecentLogins();
        Identity user = new Identity(() -> "ann", Set.of(), "BASIC");
        KeyedHash.Value key = new KeyedHash.Value(1, 2);
        recent.put(key, user, 0);
        assertThat(recent.get(key, RecentLogins.VALID_NANOS - 1)).isSameAs(user);
        assertThat(recent.get(key, RecentLogins.VALID_NANOS)).isNull();
        for (int i = 0; i < 3 * RecentLogins.MAX; i++) {
            recent.put(new KeyedHash.Value(i, 0), user, 0);
            assertThat(recent.size()).isLessThanOrEqualTo(RecentLogins.MAX);
        }
    }
}
