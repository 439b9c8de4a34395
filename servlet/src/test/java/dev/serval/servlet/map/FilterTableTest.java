package dev.serval.servlet.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.servlet.descriptor.FilterMapping;
import dev.serval.servlet.descriptor.FilterMapping.Target;
import dev.serval.servlet.descriptor.Origin;
import jakarta.servlet.DispatcherType;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FilterTableTest {
    private static FilterMapping path(String filter, String pattern, DispatcherType... types) {
        return new FilterMapping(
                filter, new Target.Pattern(pattern), Set.of(types), Origin.code("test"));
    }

    private static FilterMapping servlet(String filter, String name, DispatcherType... types) {
        return new FilterMapping(
                filter, new Target.Servlet(name), Set.of(types), Origin.code("test"));
    }

    @Test
    void patternsComeBeforeNamesAndEachFilterComesOnce() {
        FilterTable<String> table =
                new FilterTable<>(
                        List.of(
                                servlet("byName", "s"),
                                path("a", "/x/*"),
                                path("b", "/*"),
                                path("a", "*.do"),
                                servlet("b", "s"),
                                servlet("every", "*")),
                        name -> name,
                        List.of("s", "t"));
        assertThat(table.chain(DispatcherType.REQUEST, "/x/y.do", "s"))
                .containsExactly("a", "b", "byName", "every");
        assertThat(table.chain(DispatcherType.REQUEST, "/z", "t")).containsExactly("b", "every");
        assertThat(table.chain(DispatcherType.REQUEST, null, "s"))
                .containsExactly("byName", "b", "every");
        assertThat(table.chain(DispatcherType.FORWARD, "/x", "s")).isEmpty();
    }

    @Test
    void resultsThatDoNotDependOnThePathAreKeptForEachServlet() {
        FilterTable<String> table =
                new FilterTable<>(
                        List.of(path("all", "/*", DispatcherType.ERROR), servlet("one", "s")),
                        name -> name,
                        List.of("s", "t"));
        assertThat(table.chain(DispatcherType.REQUEST, "/a", "s")).containsExactly("one");
        assertThat(table.chain(DispatcherType.REQUEST, "/a", "t")).isEmpty();
        assertThat(table.chain(DispatcherType.ERROR, "/a", "s")).containsExactly("all");
        assertThat(table.chain(DispatcherType.ERROR, "/b", "s"))
                .isSameAs(table.chain(DispatcherType.ERROR, "/c", "s"));
        assertThat(table.chain(DispatcherType.ERROR, "/b", "unknown")).containsExactly("all");
        assertThat(table.chain(DispatcherType.ERROR, null, "s")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/*, /, true",
        "/*, /a/b, true",
        "/a/*, /a, true",
        "/a/*, /a/, true",
        "/a/*, /ab, false",
        "*.do, /x.do, true",
        "*.do, /a.do/x, false",
        "*.do, /.do, true",
        "*.do, /do, false",
        "/, /, true",
        "/, /a, false",
        "'', /, true",
        "'', /a, false",
        "/a, /a, true",
        "/a, /a/, false",
    })
    void patternMatches(String pattern, String path, boolean expected) {
        assertThat(FilterTable.matches(pattern, path)).isEqualTo(expected);
    }
}
