package dev.serval.servlet.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.Origin;
import dev.serval.servlet.descriptor.SecurityDescription;
import dev.serval.servlet.descriptor.SecurityDescription.Constraint;
import dev.serval.servlet.descriptor.SecurityDescription.ResourceCollection;
import dev.serval.servlet.descriptor.SecurityDescription.Rule;
import dev.serval.servlet.descriptor.SecurityDescription.ServletRules;
import dev.serval.servlet.descriptor.SecurityDescription.Transport;
import dev.serval.servlet.descriptor.ServletDescription;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How constraints combine, and which apply to a path and a method (Servlet 6.1 §13.8).
final class ConstraintCompilerTest {
    private static final Origin ORIGIN = new Origin("WEB-INF/web.xml", 4, 1);
    private static final Set<String> ROLES = Set.of("CLIENT", "STAFF");

    private final List<String> warnings = new ArrayList<>();

    /// Parses `pattern methods roles transport`. Methods are `*`, `GET,POST` or `!GET`; roles are
    /// `-` for no auth-constraint, `none` for one without roles, or names; transport is C or N.
    private static Constraint constraint(String text) {
        String[] parts = text.strip().split(" +", -1);
        String methods = parts[1];
        Set<String> named = methods.matches("\\*|!.*") ? Set.of() : split(methods);
        Set<String> omitted = methods.startsWith("!") ? split(methods.substring(1)) : Set.of();
        @Nullable Set<String> roles =
                switch (parts[2]) {
                    case "-" -> null;
                    case "none" -> Set.of();
                    default -> split(parts[2]);
                };
        return new Constraint(
                "",
                List.of(new ResourceCollection("", List.of(parts[0]), named, omitted)),
                roles,
                parts.length > 3 && parts[3].equals("C") ? Transport.CONFIDENTIAL : Transport.NONE,
                ORIGIN);
    }

    private static Set<String> split(String text) {
        return new LinkedHashSet<>(Arrays.asList(text.split(",", -1)));
    }

    private @Nullable ConstraintTable table(
            List<String> constraints, Map<String, ServletRules> rules, boolean deny) {
        return ConstraintCompiler.compile(
                new SecurityDescription(
                        constraints.stream().map(ConstraintCompilerTest::constraint).toList(),
                        null,
                        ROLES,
                        rules,
                        deny),
                List.of(servlet("one", "/one", "/shared/*")),
                ROLES,
                warnings::add);
    }

    private static ServletDescription servlet(String name, String... patterns) {
        return new ServletDescription(
                name,
                new Component.Named("A"),
                Map.of(),
                List.of(patterns),
                -1,
                false,
                true,
                null,
                null,
                Map.of(),
                ORIGIN);
    }

    /// Returns the demand as text: `open`, `denied`, `users`, or role names; `+C` for encryption.
    private static String demand(@Nullable ConstraintTable table, String path, String method) {
        assertThat(table).isNotNull();
        @Nullable Protection found = table == null ? null : table.protection(path);
        Access access = found == null ? Access.OPEN : found.access(method);
        String who =
                switch (access.kind()) {
                    case ALL -> "open";
                    case NONE -> "denied";
                    case USERS -> "users";
                    case ROLES -> String.join(",", new TreeSet<>(access.roles()));
                };
        return access.confidential() ? who + "+C" : who;
    }

    /// The example of §13.8.2: constraints on `/*`, `/acme/wholesale/*` and `/acme/retail/*`.
    private static final List<String> EXAMPLE =
            List.of(
                    "/* !GET,POST none",
                    "/acme/wholesale/* !GET,POST none",
                    "/acme/retail/* !GET,POST none",
                    "/acme/wholesale/* GET,PUT SALESCLERK",
                    "/acme/wholesale/* GET,POST CONTRACTOR C",
                    "/acme/retail/* GET,POST CONTRACTOR,HOMEOWNER");

    @ParameterizedTest(name = "§13.8.2: {1} {0}")
    @CsvSource({
        "/x, DELETE, denied",
        "/x, GET, open",
        "/x, POST, open",
        "/acme/wholesale/1, DELETE, denied",
        "/acme/wholesale/1, PUT, denied", // one of the constraints names no roles
        "/acme/wholesale/1, GET, 'CONTRACTOR,SALESCLERK'",
        "/acme/wholesale/1, POST, CONTRACTOR+C",
        "/acme/wholesale, GET, 'CONTRACTOR,SALESCLERK'",
        "/acme/retail/1, DELETE, denied",
        "/acme/retail/1, GET, 'CONTRACTOR,HOMEOWNER'",
        "/acme/retail/1, POST, 'CONTRACTOR,HOMEOWNER'",
        "/acme/retailer, GET, open",
    })
    void combinesTheExampleOfTheSpecification(String path, String method, String demand) {
        assertThat(demand(table(EXAMPLE, Map.of(), false), path, method)).isEqualTo(demand);
    }

    @ParameterizedTest(name = "§13.8.1: {0} and {1}: {2}")
    @CsvSource({
        "STAFF, CLIENT, 'CLIENT,STAFF'",
        "STAFF, -, open",
        "STAFF, none, denied",
        "-, none, denied",
        "-, -, open",
        "*, none, denied",
        "*, BOSS, 'BOSS,CLIENT,STAFF'",
        "*, -, open",
        "**, STAFF, users",
        "**, *, users",
        "**, none, denied",
        "**, -, open",
    })
    void combinesRoles(String first, String second, String demand) {
        for (List<String> both :
                List.of(
                        List.of("/a * " + first, "/a * " + second),
                        List.of("/a * " + second, "/a * " + first))) {
            assertThat(demand(table(both, Map.of(), false), "/a", "GET")).isEqualTo(demand);
        }
    }

    @ParameterizedTest(name = "§13.8.1: {0} and {1}: {2}")
    @CsvSource({"C, C, STAFF+C", "C, N, STAFF", "N, C, STAFF", "N, N, STAFF"})
    void plainConnectionIsEnoughIfOneConstraintAcceptsIt(String one, String two, String demand) {
        List<String> both = List.of("/a * STAFF " + one, "/a * STAFF " + two);
        assertThat(demand(table(both, Map.of(), false), "/a", "GET")).isEqualTo(demand);
    }

    @ParameterizedTest(name = "§13.8.3: {0} is for {1}")
    @CsvSource({
        "/a/b/exact, EXACT",
        "/a/b/exact/, LONG",
        "/a/b/exact.do, LONG", // a prefix comes before an extension
        "/a/b, LONG",
        "/a/bc, SHORT",
        "/a, SHORT",
        "/x.do, EXTENSION",
        "/x/y.do, EXTENSION",
        "/x.do/y, DEFAULT",
        "/x, DEFAULT",
        "/, ROOT",
    })
    void onlyTheBestPatternApplies(String path, String role) {
        List<String> all =
                List.of(
                        "/a/b/exact * EXACT",
                        "/a/b/* * LONG",
                        "/a/* * SHORT",
                        "*.do * EXTENSION",
                        "/ * DEFAULT");
        List<Constraint> constraints =
                new ArrayList<>(all.stream().map(ConstraintCompilerTest::constraint).toList());
        constraints.add(
                new Constraint(
                        "",
                        List.of(
                                new ResourceCollection(
                                        "", List.of(""), Set.of(), Set.of())), // the context root
                        Set.of("ROOT"),
                        Transport.NONE,
                        ORIGIN));
        @Nullable ConstraintTable table =
                ConstraintCompiler.compile(
                        new SecurityDescription(constraints, null, ROLES, Map.of(), false),
                        List.of(),
                        ROLES,
                        warnings::add);
        assertThat(demand(table, path, "GET")).isEqualTo(role);
    }

    /// A shadowing pattern without demands opens a path below a constrained prefix.
    @Test
    void openPatternShadowsPrefix() {
        List<String> both = List.of("/* * STAFF", "/public/* * -");
        @Nullable ConstraintTable table = table(both, Map.of(), false);
        assertThat(demand(table, "/public/a", "GET")).isEqualTo("open");
        assertThat(demand(table, "/publicity", "GET")).isEqualTo("STAFF");
    }

    @ParameterizedTest(name = "§13.8.4: {0}, deny {1}: {2} is {3}")
    @CsvSource({
        "/a GET STAFF, false, GET, STAFF",
        "/a GET STAFF, false, HEAD, open",
        "/a GET STAFF, false, FOO, open",
        "/a GET STAFF, false, get, open", // methods are case-sensitive
        "/a GET STAFF, true, GET, STAFF",
        "/a GET STAFF, true, HEAD, denied",
        "/a GET STAFF, true, FOO, denied",
        "/a GET STAFF, true, get, denied",
        "/a !GET STAFF, false, GET, open",
        "/a !GET STAFF, false, FOO, STAFF",
        "/a !GET STAFF, true, GET, denied",
        "/a !GET STAFF, true, FOO, STAFF",
        "/a * -, true, FOO, open",
    })
    void uncoveredMethodsAreOpenOrDenied(
            String constraint, boolean deny, String method, String demand) {
        assertThat(demand(table(List.of(constraint), Map.of(), deny), "/a", method))
                .isEqualTo(demand);
    }

    @Test
    void warnsOfUncoveredMethods() {
        table(List.of("/a GET,POST STAFF", "/b !GET STAFF", "/c * STAFF"), Map.of(), false);
        assertThat(warnings)
                .containsExactly(
                        "The constraints of the URL pattern \"/a\" leave all HTTP methods except"
                                + " GET, POST open to everyone. Constrain all methods, or add"
                                + " <deny-uncovered-http-methods/> to web.xml.",
                        "The constraints of the URL pattern \"/b\" leave the HTTP methods GET open"
                                + " to everyone. Constrain all methods, or add"
                                + " <deny-uncovered-http-methods/> to web.xml.");
        warnings.clear();
        table(List.of("/a GET,POST STAFF"), Map.of(), true);
        assertThat(warnings).isEmpty();
    }

    @Test
    void warnsOfUnknownRoles() {
        table(List.of("/a * STAFF,BOSS,*,**"), Map.of(), false);
        assertThat(warnings)
                .singleElement()
                .asString()
                .startsWith("WEB-INF/web.xml:4:1: ")
                .contains("that no security-role declares: BOSS.");
    }

    @Test
    void applicationWithoutConstraintsHasNoTable() {
        assertThat(table(List.of(), Map.of(), true)).isNull();
        // A rule that demands nothing and names no method is a constraint all the same (§13.4.1).
        ServletRules open = new ServletRules(rule(false), Map.of());
        assertThat(demand(table(List.of(), Map.of("one", open), true), "/one", "GET"))
                .isEqualTo("open");
    }

    private static Rule rule(boolean deny, String... roles) {
        return new Rule(Set.of(roles), deny, Transport.NONE);
    }

    /// The rules of `@ServletSecurity`: for other methods, and for GET if there is one.
    @ParameterizedTest(name = "§13.4.1: others {0}, GET {1}: GET {2}, POST {3}")
    @CsvSource({
        "STAFF, , STAFF, STAFF",
        "STAFF, open, open, STAFF",
        "open, STAFF, STAFF, open",
        "deny, , denied, denied",
        "deny, STAFF, STAFF, denied",
        "STAFF, deny, denied, STAFF",
        "open, , open, open",
    })
    void rulesOfServletsApplyToItsPatterns(
            String others, @Nullable String get, String onGet, String onPost) {
        Map<String, Rule> byMethod = get == null ? Map.of() : Map.of("GET", parsed(get));
        Map<String, ServletRules> rules = Map.of("one", new ServletRules(parsed(others), byMethod));
        @Nullable ConstraintTable table = table(List.of(), rules, false);
        for (String path : List.of("/one", "/shared/x")) {
            assertThat(demand(table, path, "GET")).isEqualTo(onGet);
            assertThat(demand(table, path, "POST")).isEqualTo(onPost);
        }
        assertThat(demand(table, "/one/x", "GET")).isEqualTo("open");
    }

    private static Rule parsed(String text) {
        return switch (text) {
            case "open" -> rule(false);
            case "deny" -> rule(true);
            default -> rule(false, text);
        };
    }

    @Test
    void methodsThatAnnotationsLeaveOpenAreDeniedIfAsked() {
        Map<String, ServletRules> rules =
                Map.of("one", new ServletRules(rule(false), Map.of("GET", rule(false, "STAFF"))));
        @Nullable ConstraintTable table = table(List.of(), rules, true);
        assertThat(demand(table, "/one", "GET")).isEqualTo("STAFF");
        assertThat(demand(table, "/one", "POST")).isEqualTo("denied");
    }

    @Test
    void descriptorHidesRulesOfThePatternsThatItConstrains() {
        Map<String, ServletRules> rules = Map.of("one", new ServletRules(rule(true), Map.of()));
        @Nullable ConstraintTable table = table(List.of("/one GET STAFF"), rules, false);
        assertThat(demand(table, "/one", "GET")).isEqualTo("STAFF");
        assertThat(demand(table, "/one", "POST")).isEqualTo("open"); // nothing of the annotation
        assertThat(demand(table, "/shared/x", "GET")).isEqualTo("denied");
    }
}
