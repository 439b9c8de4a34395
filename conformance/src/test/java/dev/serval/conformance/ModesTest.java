package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.mode.Mode;
import dev.serval.testkit.mode.ModeExceptions;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Checks that the tests of whole servers run over each kind of connection, and that the list of those
/// that do not names tests that exist.
final class ModesTest {
    private static final Map<String, JavaSource> TESTS =
            SourceTree.read().java().stream()
                    .filter(source -> !source.main() && source.name().endsWith("Test"))
                    .collect(
                            Collectors.toMap(
                                    JavaSource::name,
                                    Function.identity(),
                                    (one, other) -> runsInEachMode(one) ? one : other));

    /// The calls that start a whole server, in the mode of the test or in one of their own.
    private static final Pattern FIXTURES =
            Pattern.compile(
                    "\\b(ServletServer|GatewayServer|JspServer|Served|ServerProcess|AppServer)"
                            + "\\.[a-z]\\w*\\(|new AppFixture\\(|\\bServal\\.builder\\(");

    private static final Set<Mode> OTHERS = EnumSet.complementOf(EnumSet.of(Mode.H1));

    private static boolean runsInEachMode(JavaSource source) {
        return source.code().contains("@EveryMode");
    }

    @Test
    void testOfAWholeServerRunsInEachModeOrIsListed() {
        List<String> listed =
                ModeExceptions.listed().exceptions().stream()
                        .filter(each -> each.modes().equals(OTHERS))
                        .map(ModeExceptions.Listed::name)
                        .toList();
        List<String> missing =
                TESTS.values().stream()
                        .filter(source -> FIXTURES.matcher(source.code()).find())
                        .filter(source -> !runsInEachMode(source))
                        .map(JavaSource::name)
                        .filter(name -> !listed.contains(name))
                        .toList();
        assertThat(missing).as("have neither @EveryMode nor a line in modes.txt").isEmpty();
    }

    @Test
    void listNamesTestsThatExist() {
        assertThat(ModeExceptions.listed().exceptions())
                .isNotEmpty()
                .allSatisfy(each -> {
                    assertThat(TESTS).as(each.name()).containsKey(each.className());
                    JavaSource source = Objects.requireNonNull(TESTS.get(each.className()));
                    String method = each.name().substring(each.className().length());
                    assertThat(source.code())
                            .as(each.name())
                            .contains(method.isEmpty() ? "" : call(method));
                    assertThat(each.reason()).isNotBlank();
                    assertThat(runsInEachMode(source) || each.modes().equals(OTHERS))
                            .as(each.name() + " has @EveryMode or is left out of every other mode")
                            .isTrue();
                });
    }

    private static String call(String method) {
        return " " + method.substring(1) + "(";
    }
}
