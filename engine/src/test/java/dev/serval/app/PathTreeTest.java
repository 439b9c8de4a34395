package dev.serval.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The pattern that a path finds, out of all registered ones.
final class PathTreeTest {
    private static final List<String> PATTERNS =
            List.of(
                    "/",
                    "/hello",
                    "/folder/",
                    "/users",
                    "/users/me",
                    "/users/{id}",
                    "/users/{id}/posts",
                    "/users/me/name",
                    "/{tenant}/home",
                    "/files/{path...}",
                    "/files/index",
                    "/größe/{x}");

    private static PathTree<String> tree(List<String> patterns) {
        PathTree<String> tree = new PathTree<>();
        for (String pattern : patterns) {
            assertThat(tree.at(PathPattern.of(pattern).segments(), () -> pattern))
                    .isEqualTo(pattern);
        }
        return tree;
    }

    private static @Nullable String find(PathTree<String> tree, String path) {
        byte[] bytes = ("#" + path + "#").getBytes(StandardCharsets.UTF_8);
        return tree.find(bytes, 1, bytes.length - 1);
    }

    @ParameterizedTest
    @CsvSource({
        "/, /",
        "/hello, /hello",
        "/hello/,",
        "/hello/any/thing,",
        "/hell,",
        "/hellooo,",
        "/folder/, /folder/",
        "/folder,",
        "/users, /users",
        "/users/,",
        "/users/7, /users/{id}",
        "/users/me, /users/me",
        "/users/me2, /users/{id}",
        "/users/me/posts, /users/{id}/posts",
        "/users/me/name, /users/me/name",
        "/users/7/name,",
        "/users/7/posts/,",
        "/users/home, /users/{id}",
        "/hello/home, /{tenant}/home",
        "/x/home, /{tenant}/home",
        "//home,",
        "/files,",
        "/files/, /files/{path...}",
        "/files/a/b/c, /files/{path...}",
        "/files/index, /files/index",
        "/files/index/x, /files/{path...}",
        "/files/home, /files/{path...}",
        "/größe/ß, /größe/{x}"
    })
    void findsMostSpecificPattern(String path, @Nullable String expected) {
        assertThat(find(tree(PATTERNS), path)).isEqualTo(expected);
        assertThat(find(tree(PATTERNS.reversed()), path)).as("in any order").isEqualTo(expected);
    }

    @Test
    void findsEachOfManyLiterals() {
        PathTree<String> tree = new PathTree<>();
        for (int i = 0; i < 1000; i++) {
            String pattern = "/x/" + i;
            tree.at(PathPattern.of(pattern).segments(), () -> pattern);
        }
        for (int i = 0; i < 1000; i++) {
            assertThat(find(tree, "/x/" + i)).isEqualTo("/x/" + i);
            assertThat(find(tree, "/x/a" + i)).isNull();
        }
    }

    /// Searches patterns of two literals and parameters, which would need much backtracking. The
    /// result must equal that of a plain comparison of all patterns.
    @Test
    void findsSamePatternAsFullComparison() {
        Random random = new Random(7);
        for (int round = 0; round < 300; round++) {
            List<String> patterns =
                    random.ints(1 + random.nextInt(12))
                            .mapToObj(seed -> randomPath(new Random(seed), true))
                            .distinct()
                            .toList();
            PathTree<String> tree = tree(patterns);
            for (int i = 0; i < 50; i++) {
                String path = randomPath(random, false);
                @Nullable String best =
                        patterns.stream()
                                .filter(pattern -> matches(pattern, path))
                                .min((a, b) -> rank(a).compareTo(rank(b)))
                                .orElse(null);
                assertThat(find(tree, path)).as(path + " of " + patterns).isEqualTo(best);
            }
        }
    }

    private static String randomPath(Random random, boolean pattern) {
        StringBuilder path = new StringBuilder();
        int depth = 1 + random.nextInt(4);
        for (int i = 0; i < depth; i++) {
            boolean last = i == depth - 1;
            int kind = random.nextInt(last ? 4 : 3);
            String parameter = kind == 3 ? "{r...}" : "{p" + i + "}";
            path.append('/').append(kind == 0 ? "a" : kind == 1 || !pattern ? "b" : parameter);
        }
        return path.toString();
    }

    private static boolean matches(String pattern, String path) {
        return path.matches(
                pattern.replaceAll("\\{r\\.\\.\\.\\}", ".*").replaceAll("\\{p\\d\\}", "[^/]+"));
    }

    /// Ranks literals before parameters before rests, from the left.
    private static String rank(String pattern) {
        return pattern.replaceAll("/\\{r\\.\\.\\.\\}", "3")
                .replaceAll("/\\{p\\d\\}", "2")
                .replaceAll("/[ab]", "1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hello|must begin with a slash",
                "''|must begin with a slash",
                "/a//b|must have no empty segment",
                "/a/../b|must have no segment . or ..",
                "/a?b=c|must have no query and no fragment",
                "/files/*|must have {name...} for the rest of a path, not *",
                "/my%20docs|must be written decoded, without %",
                "/a\\b|must have no backslash and no control character",
                "/{path...}/x|must have {name...} only at its end",
                "/x{id}|must have only parameters that are whole segments, such as /{name}/",
                "/{id|must have only parameters that are whole segments, such as /{name}/",
                "/{}|must name parameters with letters, digits and _",
                "/{a-b}|must name parameters with letters, digits and _",
                "/{id}/{id}|must name each parameter once"
            })
    void refusesMalformedPatternAndNamesTheRule(String pattern, String rule) {
        assertThatThrownBy(() -> PathPattern.of(pattern))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The path of a route " + rule + ": \"" + pattern + "\"");
    }
}
