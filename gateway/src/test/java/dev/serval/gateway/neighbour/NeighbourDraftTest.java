package dev.serval.gateway.neighbour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.cgi.OwnVariable;
import dev.serval.gateway.neighbour.NeighbourDraft.Address;
import dev.serval.gateway.peer.Upstream;
import dev.serval.gateway.proxy.FieldSetting;
import dev.serval.gateway.proxy.ProxyTarget;
import dev.serval.gateway.proxy.Rewriting;
import dev.serval.gateway.proxy.Stickiness;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Settings of neighbours as fields.
final class NeighbourDraftTest {
    private static final String ONE = "127.0.0.1:9000";
    private static final String TWO = "127.0.0.1:9001";

    private static NeighbourDraft draft(KindDraft kind) {
        NeighbourDraft draft = new NeighbourDraft(kind);
        draft.addresses.add(new Address(ONE));
        return draft;
    }

    private static Neighbour built(NeighbourDraft draft) {
        return switch (draft.build()) {
            case NeighbourDraft.Built(Neighbour neighbour) -> neighbour;
            case NeighbourDraft.Refused(List<Problem> problems) ->
                    throw new AssertionError(problems);
        };
    }

    private static List<Problem> problems(NeighbourDraft draft) {
        return switch (draft.build()) {
            case NeighbourDraft.Built built -> throw new AssertionError(built);
            case NeighbourDraft.Refused(List<Problem> problems) -> problems;
        };
    }

    @ParameterizedTest
    @CsvSource({"http", "fastcgi", "scgi"})
    void usualSettingsAreThoseOfAnAddress(String scheme) {
        KindDraft kind =
                switch (scheme) {
                    case "http" -> new KindDraft.Http();
                    case "fastcgi" -> new KindDraft.Fastcgi();
                    default -> new KindDraft.Scgi();
                };
        String text = scheme + "://" + ONE;
        assertThat(NeighbourSyntax.read(text))
                .isEqualTo(new NeighbourSyntax.Right(built(draft(kind))));
    }

    @Test
    void settingsOfFastcgiReachItsTarget() {
        KindDraft.Fastcgi php = new KindDraft.Fastcgi();
        php.root = "/srv/far";
        php.remote = true;
        php.keep = true;
        php.buffer = false;
        php.index = "i.php";
        php.fallback = "/f.php";
        Neighbour read = built(draft(php));
        assertThat(
                        NeighbourSyntax.read(
                                "fastcgi://"
                                        + ONE
                                        + "?root=/srv/far&remote=yes&keep=yes&buffer=no&index=i.php"
                                        + "&fallback=/f.php"))
                .isEqualTo(
                        new NeighbourSyntax.Right(
                                new Neighbour(
                                        "fastcgi://"
                                                + ONE
                                                + "?root=/srv/far&remote=yes&keep=yes&buffer=no"
                                                + "&index=i.php&fallback=/f.php",
                                        read.addresses(),
                                        read.limits(),
                                        read.kind())));
        assertThat(read.limits().connectionsMax()).isEqualTo(4);
    }

    @Test
    void settingsReachTheNeighbour() {
        KindDraft.Http http = new KindDraft.Http();
        http.path = "/base/..a%20b/";
        http.host = "app";
        http.trust = true;
        http.interims = 3;
        http.check = "/health";
        http.sticky = "JSESSIONID";
        http.redirect.usual = true;
        http.cookiePath.changes.add(new KindDraft.Change("/a", "/b"));
        http.cookieDomain.changes.add(new KindDraft.Change("x", ""));
        http.fields.add(new KindDraft.Field("X-Real-IP", "$client"));
        NeighbourDraft draft = draft(http);
        draft.addresses.clear();
        draft.addresses.add(new Address(ONE).weight(3).route("r1"));
        draft.addresses.add(new Address(TWO).asBackup());
        draft.connections = 7;
        draft.queue = 8;
        draft.answerNanos = TimeUnit.SECONDS.toNanos(9);
        draft.halfClose = true;
        Neighbour read = built(draft);
        assertThat(read.text()).isEqualTo("http://" + ONE + "," + TWO);
        assertThat(read.addresses())
                .extracting(Neighbour.Place::share)
                .containsExactly(new Upstream.Share(3, false), new Upstream.Share(1, true));
        assertThat(read.limits().connectionsMax()).isEqualTo(7);
        assertThat(read.limits().queueMax()).isEqualTo(8);
        assertThat(read.limits().answerNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(9));
        assertThat(read.limits().halfClose()).isTrue();
        Neighbour.Http kind = (Neighbour.Http) read.kind();
        assertThat(kind.check()).isNotNull().extracting(Neighbour.Check::path).isEqualTo("/health");
        ProxyTarget target = kind.target();
        assertThat(target.basePath()).isEqualTo("/base/..a%20b");
        assertThat(target.host()).isEqualTo("app");
        assertThat(target.trustsClient()).isTrue();
        assertThat(target.interimsMax()).isEqualTo(3);
        assertThat(target.stickiness()).isInstanceOf(Stickiness.RouteOfApplication.class);
        assertThat(target.redirects()).isEqualTo(Rewriting.DEFAULT);
        assertThat(target.cookiePaths().pairs()).containsExactly(new Rewriting.Pair("/a", "/b"));
        assertThat(target.cookieDomains().pairs()).containsExactly(new Rewriting.Pair("x", ""));
        assertThat(target.fields()).containsExactly(new FieldSetting("X-Real-IP", "$client"));
    }

    @Test
    void cookieIsTheServersWithoutRoutes() {
        KindDraft.Http http = new KindDraft.Http();
        http.sticky = "srv";
        http.stickySecret = "0123456789abcdef";
        Neighbour.Http kind = (Neighbour.Http) built(draft(http)).kind();
        assertThat(kind.target().stickiness())
                .isEqualTo(new Stickiness.OwnCookie("srv", "0123456789abcdef"));
    }

    @Test
    void allProblemsAreNamed() {
        KindDraft.Http http = new KindDraft.Http();
        http.host = "a b";
        http.check = "x";
        NeighbourDraft draft = draft(http);
        draft.queue = 0;
        draft.addresses.add(new Address("nowhere:0"));
        assertThat(problems(draft))
                .extracting(Problem::setting)
                .containsExactlyInAnyOrder("address", "queue", "host", "check");
        assertThat(problems(draft))
                .filteredOn(one -> one.setting().equals("address"))
                .extracting(Problem::index)
                .containsExactly(1);
    }

    /// One wrong setting of an HTTP neighbour.
    ///
    /// @param change makes it wrong
    record Case(
            String setting,
            int index,
            String part,
            BiConsumer<NeighbourDraft, KindDraft.Http> change) {
        @Override
        public String toString() {
            return setting + " " + part;
        }
    }

    private static Case wrong(
            String setting, String part, BiConsumer<NeighbourDraft, KindDraft.Http> change) {
        return new Case(setting, -1, part, change);
    }

    private static Case wrong(
            String setting,
            int index,
            String part,
            BiConsumer<NeighbourDraft, KindDraft.Http> change) {
        return new Case(setting, index, part, change);
    }

    static List<Case> cases() {
        List<Case> all = new ArrayList<>(commonCases());
        all.addAll(stickyCases());
        all.addAll(httpCases());
        return all;
    }

    private static List<Case> commonCases() {
        long tooLong = TimeUnit.DAYS.toNanos(366);
        return List.of(
                wrong("connections", "from 1 to 10000, not 0", (d, _) -> d.connections = 0),
                wrong("queue", "from 1 to 100000, not 100001", (d, _) -> d.queue = 100_001),
                wrong("queue-time", "above zero", (d, _) -> d.queueNanos = 0),
                wrong("connect-time", "at most 365 days", (d, _) -> d.connectNanos = tooLong),
                wrong("answer-time", "above zero", (d, _) -> d.answerNanos = -1),
                wrong("idle-time", "above zero", (d, _) -> d.idleNanos = 0),
                wrong("address", "needs an address", (d, _) -> d.addresses.clear()),
                wrong("address", 0, "HOST:PORT", (d, _) -> d.addresses.set(0, new Address("x:y"))),
                wrong("address", 0, "HOST:PORT", (d, _) -> d.addresses.set(0, new Address("a/b"))),
                wrong(
                        "weight",
                        0,
                        "from 0 to 1000",
                        (d, _) -> d.addresses.set(0, new Address(ONE).weight(1001))),
                wrong(
                        "weight",
                        "must be above 0",
                        (d, _) -> d.addresses.set(0, new Address(ONE).weight(0))),
                wrong(
                        "backup",
                        "All addresses are backups",
                        (d, _) -> d.addresses.set(0, new Address(ONE).asBackup())));
    }

    private static List<Case> stickyCases() {
        return List.of(
                wrong(
                        "route",
                        0,
                        "jvmRoute",
                        (d, h) -> {
                            h.sticky = "id";
                            d.addresses.set(0, new Address(ONE).route("a.b"));
                        }),
                wrong(
                        "route",
                        "Two upstreams",
                        (d, h) -> {
                            h.sticky = "id";
                            d.addresses.set(0, new Address(ONE).route("r"));
                            d.addresses.add(new Address(TWO).route("r"));
                        }),
                wrong(
                        "sticky",
                        "no cookie is named",
                        (d, _) -> d.addresses.set(0, new Address(ONE).route("r"))),
                wrong("sticky", "token", (_, h) -> h.sticky = "a b"),
                wrong(
                        "sticky-secret",
                        "no cookie is named",
                        (_, h) -> h.stickySecret = "0123456789abcdef"),
                wrong(
                        "sticky-secret",
                        "at least 16",
                        (_, h) -> {
                            h.sticky = "srv";
                            h.stickySecret = "short";
                        }),
                wrong(
                        "sticky-secret",
                        "leave one of them out",
                        (d, h) -> {
                            h.sticky = "id";
                            h.stickySecret = "0123456789abcdef";
                            d.addresses.set(0, new Address(ONE).route("r"));
                        }));
    }

    private static List<Case> httpCases() {
        KindDraft.Change odd = new KindDraft.Change("a;b", "c");
        return List.of(
                wrong("path", "without a slash at its end", (_, h) -> h.path = "x"),
                wrong("path", "as %20", (_, h) -> h.path = "/a?b"),
                wrong("path", "as %20", (_, h) -> h.path = "/a#b"),
                wrong("path", "as %20", (_, h) -> h.path = "/a b"),
                wrong("path", "as %20", (_, h) -> h.path = "/a/../b"),
                wrong("path", "as %20", (_, h) -> h.path = "/a/."),
                wrong("path", "as %20", (_, h) -> h.path = "/a/%2e%2E/b"),
                wrong("path", "as %20", (_, h) -> h.path = "/a/%2"),
                wrong("host", "a name with or without a port", (_, h) -> h.host = "a/b"),
                wrong("interims", "from 0 to 10000, not -1", (_, h) -> h.interims = -1),
                wrong("interim-time", "above zero", (_, h) -> h.interimNanos = 0),
                wrong("tunnel-idle", "above zero", (_, h) -> h.tunnelIdleNanos = 0),
                wrong("check", "takes a path", (_, h) -> h.check = "health"),
                wrong("check", "takes a path", (_, h) -> h.check = "/health#now"),
                wrong("check-every", "above zero", (_, h) -> h.checkEveryNanos = 0),
                wrong("redirect", 0, "to another one", (_, h) -> h.redirect.changes.add(odd)),
                wrong("cookie-path", 0, "to another one", (_, h) -> h.cookiePath.changes.add(odd)),
                wrong(
                        "cookie-domain",
                        0,
                        "to another one",
                        (_, h) -> h.cookieDomain.changes.add(odd)),
                wrong(
                        "field",
                        0,
                        "$client, $host",
                        (_, h) -> h.fields.add(new KindDraft.Field("X", "$x"))));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void problemNamesItsSetting(Case wrong) {
        KindDraft.Http http = new KindDraft.Http();
        NeighbourDraft draft = draft(http);
        wrong.change().accept(draft, http);
        assertThat(problems(draft))
                .singleElement()
                .satisfies(one -> {
                    assertThat(one.setting()).isEqualTo(wrong.setting());
                    assertThat(one.index()).isEqualTo(wrong.index());
                    assertThat(one.sentence()).contains(wrong.part()).endsWith(".");
                });
    }

    @Test
    void problemsOfFastcgiNameTheirSettings() {
        KindDraft.Fastcgi php = new KindDraft.Fastcgi();
        php.root = "/no/such/folder";
        php.send = "/no/such/folder";
        php.index = "a/b";
        php.fallback = "x";
        assertThat(problems(draft(php)))
                .extracting(Problem::setting)
                .containsExactlyInAnyOrder("root", "send", "index", "fallback");
    }

    @Test
    void variableThatCannotBeSetIsNamed() {
        KindDraft.Scgi scgi = new KindDraft.Scgi();
        scgi.variables.add(new KindDraft.Variable("A", "1"));
        scgi.variables.add(new KindDraft.Variable("CONTENT_LENGTH", "1"));
        assertThat(problems(draft(scgi)))
                .singleElement()
                .satisfies(one -> {
                    assertThat(one.setting()).isEqualTo("variables");
                    assertThat(one.index()).isEqualTo(1);
                    assertThat(one.sentence()).contains("CONTENT_LENGTH cannot be set");
                });
    }

    @Test
    void takesVariablesAtTheirLimitAndRefusesMore() {
        KindDraft.Fastcgi php = new KindDraft.Fastcgi();
        for (int i = 0; i < OwnVariable.COUNT_MAX; i++) {
            php.variables.add(new KindDraft.Variable("V" + i, ""));
        }
        Neighbour.Fastcgi kind = (Neighbour.Fastcgi) built(draft(php)).kind();
        assertThat(kind.target().variables()).hasSize(OwnVariable.COUNT_MAX);
        php.variables.add(new KindDraft.Variable("MORE", ""));
        assertThat(problems(draft(php))).extracting(Problem::setting).containsExactly("variables");
    }
}
