package dev.serval.servlet.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.serval.servlet.descriptor.CookieDescription;
import dev.serval.servlet.descriptor.SessionDescription;
import jakarta.servlet.SessionTrackingMode;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The attributes of the session cookie, and the tracking modes, as declared and if not.
final class SessionCookieTest {
    @Test
    void cookieIsSafeUnlessDeclared() {
        SessionCookie cookie =
                SessionCookie.of(new CookieDescription("JSESSIONID", Map.of()), "/shop");
        assertThat(cookie)
                .isEqualTo(
                        new SessionCookie(
                                "JSESSIONID",
                                "/shop",
                                null,
                                -1,
                                /* secure */ false,
                                /* httpOnly */ true,
                                "Lax",
                                Map.of()));
        assertThat(cookie.forRequest(false).secure()).isFalse();
        assertThat(cookie.forRequest(true).secure()).isTrue();
        assertThat(cookie.forRequest(true).path()).isEqualTo("/shop");
    }

    @Test
    void cookieHasWhatIsDeclared() {
        Map<String, String> attributes =
                Map.of(
                        "path", "/all",
                        "DOMAIN", "example.org",
                        "max-age", "3600",
                        "Secure", "true",
                        "HttpOnly", "false",
                        "SameSite", "Strict",
                        "Partitioned", "");
        SessionCookie cookie = SessionCookie.of(new CookieDescription("SID", attributes), "/shop");
        assertThat(cookie)
                .isEqualTo(
                        new SessionCookie(
                                "SID",
                                "/all",
                                "example.org",
                                3600,
                                /* secure */ true,
                                /* httpOnly */ false,
                                "Strict",
                                Map.of("Partitioned", "")));
        assertThat(cookie.forRequest(false).secure()).isTrue();
    }

    @Test
    void rootContextHasThePathOfASlash() {
        assertThat(SessionCookie.of(new CookieDescription("S", Map.of()), "").path())
                .isEqualTo("/");
    }

    @ParameterizedTest
    @CsvSource({
        "true, true",
        "TRUE, true",
        "'', true",
        "' true ', true",
        "false, false",
        "no, false"
    })
    void attributeWithoutValueIsOn(String value, boolean expected) {
        Map<String, String> attributes = Map.of("Secure", value, "HttpOnly", value);
        SessionCookie cookie = SessionCookie.of(new CookieDescription("S", attributes), "");
        assertThat(cookie.secure()).isEqualTo(expected);
        assertThat(cookie.httpOnly()).isEqualTo(expected);
    }

    @Test
    void rejectsMaxAgeThatIsNoNumber() {
        CookieDescription declared = new CookieDescription("S", Map.of("Max-Age", "an hour"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SessionCookie.of(declared, ""))
                .withMessageContaining("an hour");
    }

    @ParameterizedTest
    @CsvSource({
        "'', true, true",
        "COOKIE, true, false",
        "URL, false, true",
        "COOKIE URL, true, true",
    })
    void trackingIsAsDeclared(String modes, boolean byCookie, boolean byUrl) {
        Set<SessionTrackingMode> declared = EnumSet.noneOf(SessionTrackingMode.class);
        for (String mode : modes.split(" ", -1)) {
            if (!mode.isEmpty()) {
                declared.add(SessionTrackingMode.valueOf(mode));
            }
        }
        SessionTracking tracking = SessionTracking.of(description(declared));
        assertThat(tracking).isEqualTo(new SessionTracking(byCookie, byUrl));
        assertThat(tracking.rewrites(false)).isEqualTo(byUrl);
        assertThat(tracking.rewrites(true)).isFalse();
        if (!declared.isEmpty()) {
            assertThat(tracking.modes()).isEqualTo(declared);
        }
    }

    @Test
    void rejectsTrackingByTls() {
        SessionDescription declared = description(Set.of(SessionTrackingMode.SSL));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SessionTracking.of(declared))
                .withMessageContaining("SSL");
    }

    private static SessionDescription description(Set<SessionTrackingMode> modes) {
        return new SessionDescription(30, new CookieDescription("S", Map.of()), modes);
    }
}
