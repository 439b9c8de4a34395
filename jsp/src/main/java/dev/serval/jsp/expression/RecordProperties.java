package dev.serval.jsp.expression;

import jakarta.el.ELContext;
import jakarta.el.ELException;
import jakarta.el.RecordELResolver;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the components of records, as the resolver of the API does, which looks for the method each
/// time. Any thread.
final class RecordProperties extends RecordELResolver {
    /// The accessors of each public class, by name. A class and its accessors are freed together.
    private static final ClassValue<Map<String, Method>> ACCESSORS =
            new ClassValue<>() {
                @Override
                protected Map<String, Method> computeValue(Class<?> type) {
                    return accessors(type);
                }
            };

    private static Map<String, Method> accessors(Class<?> type) {
        Map<String, Method> all = new HashMap<>();
        if (Modifier.isPublic(type.getModifiers())) {
            for (RecordComponent component : type.getRecordComponents()) {
                all.put(component.getName(), component.getAccessor());
            }
        }
        return Map.copyOf(all);
    }

    @Override
    public @Nullable Object getValue(ELContext el, @Nullable Object base, Object property) {
        @Nullable Method accessor =
                base instanceof Record && property instanceof String name
                        ? ACCESSORS.get(base.getClass()).get(name)
                        : null;
        if (accessor == null) {
            return super.getValue(el, base, property);
        }
        el.setPropertyResolved(base, property);
        try {
            return accessor.invoke(base);
        } catch (InvocationTargetException e) {
            throw new ELException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new ELException(e);
        }
    }
}
