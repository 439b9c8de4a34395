package dev.serval.servlet.inject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Values of environment entries (Jakarta EE platform, chapter 5).
final class EnvValuesTest {
    private static final Origin AT = new Origin("WEB-INF/web.xml", 9, 1);
    private static final ClassLoader LOADER = EnvValuesTest.class.getClassLoader();

    enum Colour {
        RED,
        GREEN
    }

    static final class Target {
        int number;
        @Nullable Colour colour;

        void setText(String text) {
            number = text.length();
        }
    }

    private static EnvEntry entry(
            String name, @Nullable String type, @Nullable String value, @Nullable String lookup) {
        return new EnvEntry(name, type, value, lookup, List.of(), AT);
    }

    private static AppNaming naming(Map<String, Object> given, EnvEntry... entries)
            throws DescriptorException {
        return EnvValues.naming(
                "app",
                new Environment(List.of(entries), List.of(), List.of(), List.of(), true),
                given,
                LOADER);
    }

    static List<Arguments> values() {
        return List.of(
                Arguments.of("java.lang.String", " a b ", " a b "),
                Arguments.of("java.lang.String", "", ""),
                Arguments.of("java.lang.Character", "x", 'x'),
                Arguments.of("java.lang.Character", " ", ' '),
                Arguments.of("java.lang.Integer", " 42 ", 42),
                Arguments.of("java.lang.Integer", "-7", -7),
                Arguments.of("java.lang.Boolean", "true", true),
                Arguments.of("java.lang.Boolean", "FALSE", false),
                Arguments.of("java.lang.Double", "1.5", 1.5),
                Arguments.of("java.lang.Byte", "127", (byte) 127),
                Arguments.of("java.lang.Short", "-3", (short) -3),
                Arguments.of("java.lang.Long", "9000000000", 9_000_000_000L),
                Arguments.of("java.lang.Float", "0.25", 0.25f),
                Arguments.of("java.lang.Class", Target.class.getName(), Target.class),
                Arguments.of(Colour.class.getName(), "GREEN", Colour.GREEN));
    }

    @ParameterizedTest
    @MethodSource("values")
    void readsValuesOfEachType(String type, String text, Object expected) throws Exception {
        assertThat(naming(Map.of(), entry("x", type, text, null)).lookup("java:comp/env/x"))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "java.lang.Character, ab",
        "java.lang.Character, ''",
        "java.lang.Integer, 1.5",
        "java.lang.Integer, 9000000000",
        "java.lang.Boolean, yes",
        "java.lang.Double, much",
        "java.lang.Byte, 128",
        "java.lang.Class, com.example.Missing",
        "dev.serval.servlet.inject.EnvValuesTest$Colour, BLUE",
        "java.util.Date, 1",
        "com.example.Missing, 1",
    })
    void refusesValuesThatDoNotFit(String type, String text) {
        assertThatThrownBy(() -> naming(Map.of(), entry("x", type, text, null)))
                .isInstanceOf(DescriptorException.class)
                .hasMessageStartingWith("WEB-INF/web.xml:9:1: ")
                .hasMessageContaining("\"x\"");
    }

    @ParameterizedTest
    @CsvSource({"number, 3, 3", "colour, RED, RED", "text, abc, abc"})
    void takesTheTypeOfTheTarget(String member, String text, String expected) throws Exception {
        EnvEntry entry =
                new EnvEntry(
                        "x",
                        null,
                        text,
                        null,
                        List.of(new InjectionTarget(Target.class.getName(), member)),
                        AT);
        Object value = naming(Map.of(), entry).lookup("x");
        assertThat(value).hasToString(expected);
        assertThat(value).isNotInstanceOf(member.equals("text") ? Integer.class : String.class);
    }

    @Test
    void refusesEntriesWithoutTypeOrWithTwoSources() {
        assertThatThrownBy(() -> naming(Map.of(), entry("x", null, "1", null)))
                .hasMessageContaining("has no type");
        assertThatThrownBy(
                        () -> naming(Map.of(), entry("x", "java.lang.String", "1", "java:app/y")))
                .hasMessageContaining("both a value and a lookup-name");
    }

    @Test
    void anEntryWithoutValueIsNotBound() throws Exception {
        assertThat(naming(Map.of(), entry("x", "java.lang.String", null, null)).lookup("x"))
                .isNull();
    }

    @Test
    void followsLookupNames() throws Exception {
        AppNaming naming =
                naming(
                        Map.of("java:app/jdbc/main", "the source"),
                        entry("a", null, null, "java:comp/env/b"),
                        entry("b", null, null, "java:module/env/c"),
                        entry("c", null, null, "java:app/jdbc/main"),
                        entry("d", null, null, "e"),
                        entry("e", "java.lang.Integer", "5", null));
        List<@Nullable Object> found = new ArrayList<>();
        for (String name : List.of("a", "b", "c", "d")) {
            found.add(naming.lookup(name));
        }
        assertThat(found).containsExactly("the source", "the source", "the source", 5);
    }

    @Test
    void refusesLookupNamesThatLeadNowhere() {
        assertThatThrownBy(() -> naming(Map.of(), entry("a", null, null, "java:app/none")))
                .isInstanceOf(DescriptorException.class)
                .hasMessageContaining("java:app/none");
        assertThatThrownBy(() ->
                        naming(Map.of(), entry("a", null, null, "b"), entry("b", null, null, "a")))
                .isInstanceOf(DescriptorException.class);
    }

    @Test
    void refusesNamesThatAreDeclaredTwice() {
        EnvEntry entry = entry("x", "java.lang.String", "1", null);
        EnvEntry same = entry("java:module/env/x", "java.lang.String", "2", null);
        EnvEntry below = entry("x/y", "java.lang.String", "2", null);
        EnvEntry empty = entry("y//z", "java.lang.String", "2", null);
        assertThatThrownBy(() -> naming(Map.of(), entry, same)).hasMessageContaining("twice");
        assertThatThrownBy(() -> naming(Map.of(), entry, below))
                .isInstanceOf(DescriptorException.class);
        assertThatThrownBy(() -> naming(Map.of(), below, entry))
                .isInstanceOf(DescriptorException.class);
        assertThatThrownBy(() -> naming(Map.of(), empty)).hasMessageContaining("empty part");
    }

    @Test
    void givenValuesReplaceDeclaredOnes() throws Exception {
        AppNaming naming =
                naming(
                        Map.of("java:module/env/x", "given", "y", "also"),
                        entry("x", "java.lang.String", "declared", null),
                        entry("y", null, null, "java:app/none"),
                        entry("z", null, null, "x"));
        assertThat(naming.lookup("x")).isEqualTo("given");
        assertThat(naming.lookup("y")).isEqualTo("also");
        assertThat(naming.lookup("z")).isEqualTo("given");
    }

    @Test
    void referencesWithLookupNamesAreBound() throws Exception {
        Environment environment =
                new Environment(
                        List.of(),
                        List.of(
                                new ResourceRef("jdbc/a", "java:app/main", List.of(), AT),
                                new ResourceRef("jdbc/b", null, List.of(), AT)),
                        List.of(),
                        List.of(),
                        true);
        AppNaming naming =
                EnvValues.naming("app", environment, Map.of("java:app/main", "source"), LOADER);
        assertThat(naming.lookup("java:comp/env/jdbc/a")).isEqualTo("source");
        assertThat(naming.lookup("java:comp/env/jdbc/b")).isNull();
    }
}
