package dev.serval.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.app.AppLimits;
import dev.serval.coding.Compression;
import dev.serval.file.CacheRule;
import dev.serval.file.FileOptions;
import dev.serval.file.Links;
import dev.serval.http.PathPatterns;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a draft sets. The canonical constructors take many numbers of one type, so this is what
/// notices if two were swapped.
final class LimitsTest {
    static List<Record> records() {
        return List.of(
                Limits.Heads.DEFAULT,
                Limits.Contents.DEFAULT,
                Limits.Paces.DEFAULT,
                Limits.Counts.DEFAULT,
                Limits.Buffers.DEFAULT,
                Limits.Workers.DEFAULT,
                Limits.Loads.DEFAULT,
                Limits.Rates.NONE,
                AppLimits.DEFAULT,
                FileOptions.DEFAULT);
    }

    @ParameterizedTest
    @MethodSource("records")
    void eachFieldOfADraftChangesOnlyItsLimit(Record limits) throws ReflectiveOperationException {
        for (RecordComponent limit : limits.getClass().getRecordComponents()) {
            Map<String, Object> expected = values(limits);
            Object other = other(limit, limits);
            expected.put(limit.getName(), other);
            assertThat(values(with(limits, draft -> set(draft, limit.getName(), other))))
                    .isEqualTo(expected);
        }
    }

    @Test
    void aDraftOfAllLimitsReachesEachGroup() throws ReflectiveOperationException {
        for (RecordComponent group : Limits.class.getRecordComponents()) {
            RecordComponent limit = group.getType().getRecordComponents()[0];
            Record former = (Record) group.getAccessor().invoke(Limits.DEFAULT);
            Object other = other(limit, former);
            Map<String, Object> expected = values(Limits.DEFAULT);
            expected.put(
                    group.getName(), with(former, draft -> set(draft, limit.getName(), other)));
            Limits changed =
                    Limits.DEFAULT.with(
                            draft -> set(get(draft, group.getName()), limit.getName(), other));
            assertThat(values(changed)).isEqualTo(expected);
        }
    }

    @Test
    void whatIsNotSetStays() {
        assertThat(Limits.DEFAULT.with(draft -> {})).isEqualTo(Limits.DEFAULT);
        Limits limits = Limits.DEFAULT.with(draft -> draft.pace.idleNanos = 1);
        assertThat(limits.with(draft -> draft.content.maxBytes = 2).pace().idleNanos())
                .isEqualTo(1);
    }

    private static Object other(RecordComponent component, Record record)
            throws ReflectiveOperationException {
        return switch (component.getAccessor().invoke(record)) {
            case null -> LoadMode.HEAVY;
            case LoadRow row -> row.withIdleNanos(1);
            case Integer _ when component.getName().endsWith("Percent") -> 50;
            case Integer _ -> 1_234_567;
            case Long _ -> 1_234_567_890_123L;
            case Boolean present -> !present;
            case List<?> _ when component.getName().equals("cacheRules") ->
                    List.of(CacheRule.ofTypes(List.of("text/*"), "no-cache"));
            case List<?> _ -> List.of("other");
            case Map<?, ?> _ -> Map.of("abc", "text/x-abc");
            case Links _ -> Links.FOLLOW;
            case Compression _ -> Compression.OFF;
            case PathPatterns _ -> PathPatterns.of(List.of("*.other"));
            case String text when text.indexOf('/') > 0 -> "text/x-other";
            default -> "other";
        };
    }

    private static Record with(Record limits, Consumer<Object> change)
            throws ReflectiveOperationException {
        return (Record) limits.getClass().getMethod("with", Consumer.class).invoke(limits, change);
    }

    private static void set(Object draft, String name, Object value) {
        try {
            field(draft, name).set(draft, value);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(name, e);
        }
    }

    private static Object get(Object draft, String name) {
        try {
            return field(draft, name).get(draft);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(name, e);
        }
    }

    private static Field field(Object draft, String name) throws ReflectiveOperationException {
        return draft.getClass().getField(name);
    }

    private static Map<String, Object> values(Record record) throws ReflectiveOperationException {
        Map<String, Object> values = new LinkedHashMap<>();
        for (RecordComponent each : record.getClass().getRecordComponents()) {
            values.put(each.getName(), each.getAccessor().invoke(record));
        }
        return values;
    }
}
