package dev.serval.testkit.mode;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContext;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Chooses the modes of a class by the property `serval.modes`:
///
/// - `all`: each mode;
/// - `turn`: one mode, another one each day and for each class, and HTTP/1.1 for the tests that do not
///   run in it;
/// - the name of a mode, such as `h2c`: that mode.
///
/// Stateless.
public final class ModeChoice implements ClassTemplateInvocationContextProvider {
    private static final String PROPERTY = "serval.modes";

    @Override
    public boolean supportsClassTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<ClassTemplateInvocationContext> provideClassTemplateInvocationContexts(
            ExtensionContext context) {
        String name = context.getRequiredTestClass().getSimpleName();
        return modes(System.getProperty(PROPERTY, "turn"), name, LocalDate.now(ZoneOffset.UTC))
                .stream()
                .map(run -> (ClassTemplateInvocationContext) run);
    }

    /// Returns how the tests of a class run.
    ///
    /// @param choice the value of the property
    static List<ModeRun> modes(String choice, String className, LocalDate day) {
        return switch (choice) {
            case "all" -> Stream.of(Mode.values()).map(mode -> new ModeRun(mode, false)).toList();
            case "turn" -> {
                long turn = day.toEpochDay() + className.hashCode();
                List<Mode> modes = List.of(Mode.values());
                Mode mode = modes.get(Math.floorMod(turn, modes.size()));
                ModeRun first = new ModeRun(mode, false);
                yield ModeExceptions.listed().concern(className, mode)
                        ? List.of(first, new ModeRun(mode, true))
                        : List.of(first);
            }
            default -> List.of(new ModeRun(Mode.valueOf(choice.toUpperCase(Locale.ROOT)), false));
        };
    }
}
