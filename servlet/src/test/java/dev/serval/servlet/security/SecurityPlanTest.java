package dev.serval.servlet.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.servlet.descriptor.AppDraft;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.Origin;
import dev.serval.servlet.descriptor.SecurityDescription;
import dev.serval.servlet.descriptor.SecurityDescription.Constraint;
import dev.serval.servlet.descriptor.SecurityDescription.Login;
import dev.serval.servlet.descriptor.SecurityDescription.ResourceCollection;
import dev.serval.servlet.descriptor.SecurityDescription.Transport;
import dev.serval.servlet.password.SecurityLimits;
import dev.serval.servlet.password.Verifier;
import dev.serval.servlet.users.MemoryUsers;
import dev.serval.servlet.users.PlainSecret;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What an operator learns at the start about logins that cannot work.
final class SecurityPlanTest {
    private static final Origin ORIGIN = new Origin("WEB-INF/web.xml", 4, 1);

    private final List<String> warnings = new ArrayList<>();

    private static Login login(String method, String realm) {
        return new Login(method, realm, "", "", ORIGIN);
    }

    private void guard(@Nullable Login login, boolean users, @Nullable Set<String> roles)
            throws DescriptorException {
        Constraint constraint =
                new Constraint(
                        "",
                        List.of(new ResourceCollection("", List.of("/*"), Set.of(), Set.of())),
                        roles,
                        Transport.NONE,
                        ORIGIN);
        AppDraft draft = new AppDraft();
        draft.security(
                new SecurityDescription(
                        List.of(constraint), login, Set.of("staff"), Map.of(), false));
        Verifier verifier =
                new Verifier(
                        new MemoryUsers(Map.of(), new PlainSecret("")),
                        SecurityLimits.standard(1),
                        new SecureRandom());
        new SecurityPlan("shop", users ? verifier : null, 0, () -> "key", warnings::add)
                .guard(draft.freeze(), Map.of(), Set.of());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    -           | true  | declares no way to log in
                    BASIC       | false | the server has no users
                    CLIENT-CERT | false | the server has no users
                    """)
    void tellsWhyNoClientCanReachAPath(String method, boolean users, String why) throws Exception {
        guard(method.equals("-") ? null : login(method, ""), users, Set.of("staff"));
        assertThat(warnings).hasSize(1);
        assertThat(warnings.getFirst()).contains(why, "refused with 403");
    }

    @Test
    void saysNothingIfNoUserIsNeeded() throws Exception {
        guard(null, false, null);
        guard(null, false, Set.of());
        assertThat(warnings).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"BASIC", "FORM", "DIGEST", "CLIENT-CERT"})
    void saysNothingIfUsersCanLogIn(String method) throws Exception {
        guard(login(method, "the \"shop\""), true, Set.of("staff"));
        assertThat(warnings).isEmpty();
    }

    /// The client computes with the realm of the challenge, which has ASCII characters only.
    @Test
    void warnsOfARealmThatDigestCannotSend() throws Exception {
        guard(login("BASIC", "L\u00e4den"), true, Set.of("staff"));
        assertThat(warnings).isEmpty();
        guard(login("DIGEST", "L\u00e4den"), true, Set.of("staff"));
        assertThat(warnings).hasSize(1);
        assertThat(warnings.getFirst())
                .startsWith("WEB-INF/web.xml")
                .contains("DIGEST", "\"L\u00e4den\"", "Change the realm-name");
    }

    @Test
    void refusesUnknownMethods() throws Exception {
        SecurityPlan.check(null);
        SecurityPlan.check(login("", ""));
        SecurityPlan.check(login("FORM", ""));
        assertThatThrownBy(() -> SecurityPlan.check(login("basic", "")))
                .isInstanceOf(DescriptorException.class)
                .hasMessageContaining("\"basic\" is not known");
    }
}
