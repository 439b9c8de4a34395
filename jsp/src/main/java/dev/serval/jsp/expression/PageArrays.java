package dev.serval.jsp.expression;

import jakarta.el.ArrayELResolver;
import jakarta.el.ELContext;
import jakarta.el.PropertyNotFoundException;
import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/// Resolves the elements of arrays. The resolver of the API refuses to set those of a primitive type,
/// because their class is not that of the boxed value. Any thread.
final class PageArrays extends ArrayELResolver {
    @Override
    public void setValue(
            ELContext el,
            @Nullable Object base,
            @Nullable Object property,
            @Nullable Object value) {
        @Nullable Class<?> type = base == null ? null : base.getClass().getComponentType();
        if (type == null || !type.isPrimitive() || property == null) {
            super.setValue(el, base, property, value);
            return;
        }
        el.setPropertyResolved(base, property);
        try {
            int index = el.convertToType(property, Integer.class);
            Array.set(base, index, el.convertToType(value, type));
        } catch (IndexOutOfBoundsException e) {
            throw new PropertyNotFoundException(e);
        }
    }
}
