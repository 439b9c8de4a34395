package dev.serval.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class LimitsTest {
    static List<Record> defaults() {
        return List.of(
                Limits.Heads.DEFAULT,
                Limits.Contents.DEFAULT,
                Limits.Paces.DEFAULT,
                Limits.Counts.DEFAULT,
                Limits.Buffers.DEFAULT);
    }

    @ParameterizedTest
    @MethodSource("defaults")
    void eachWithMethodChangesOnlyItsLimit(Record limits) throws ReflectiveOperationException {
        for (RecordComponent bound : limits.getClass().getRecordComponents()) {
            String name = bound.getName();
            String with =
                    "with" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
            Method change = limits.getClass().getMethod(with, bound.getType());
            Object other =
                    bound.getType() == int.class ? (Object) 1_234_567 : (Object) 1_234_567_890_123L;
            Object changed = change.invoke(limits, other);
            for (RecordComponent each : limits.getClass().getRecordComponents()) {
                Object expected =
                        each.getName().equals(name) ? other : each.getAccessor().invoke(limits);
                assertThat(each.getAccessor().invoke(changed)).as(with).isEqualTo(expected);
            }
        }
    }
}
