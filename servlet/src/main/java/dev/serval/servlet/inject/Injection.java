package dev.serval.servlet.inject;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A member of a class that receives a value.
sealed interface Injection {
    /// A field, of any visibility.
    record IntoField(Field field) implements Injection {}

    /// A setter, of any visibility.
    record IntoSetter(Method setter) implements Injection {}

    /// Finds the setter of a property that a class declares, else the field of that name (Jakarta
    /// EE platform, chapter 5).
    ///
    /// @return null if the class declares neither
    static @Nullable Injection find(Class<?> declaring, String property) {
        String setter = property.isEmpty() ? "" : "set" + capital(property);
        for (Method method : declaring.getDeclaredMethods()) {
            if (method.getName().equals(setter)
                    && method.getParameterCount() == 1
                    && !method.isBridge()) {
                return new IntoSetter(method);
            }
        }
        for (Field field : declaring.getDeclaredFields()) {
            if (field.getName().equals(property)) {
                return new IntoField(field);
            }
        }
        return null;
    }

    /// Returns the type of the values.
    default Class<?> type() {
        return switch (this) {
            case IntoField(Field field) -> field.getType();
            case IntoSetter(Method setter) -> setter.getParameterTypes()[0];
        };
    }

    /// Returns the name of the member for messages.
    default String text() {
        return switch (this) {
            case IntoField(Field field) ->
                    field.getDeclaringClass().getName() + "." + field.getName();
            case IntoSetter(Method setter) ->
                    setter.getDeclaringClass().getName() + "." + setter.getName() + "()";
        };
    }

    /// Returns the name of the value unless another is declared: the class, a slash and the
    /// property (Jakarta Annotations 3.0 §2.4).
    default String impliedName() {
        return switch (this) {
            case IntoField(Field field) ->
                    field.getDeclaringClass().getName() + "/" + field.getName();
            case IntoSetter(Method setter) ->
                    setter.getDeclaringClass().getName() + "/" + property(setter.getName());
        };
    }

    /// Returns why the member cannot receive a value, as the end of a sentence; null if it can.
    default @Nullable String fault() {
        return switch (this) {
            case IntoField(Field field) -> {
                if (Modifier.isStatic(field.getModifiers())) {
                    yield "is static";
                }
                yield Modifier.isFinal(field.getModifiers()) ? "is final" : null;
            }
            case IntoSetter(Method setter) -> {
                if (Modifier.isStatic(setter.getModifiers())) {
                    yield "is static";
                }
                boolean shaped =
                        setter.getName().startsWith("set")
                                && setter.getName().length() > 3
                                && setter.getReturnType() == void.class;
                yield shaped ? null : "is not a setter: void setName(value)";
            }
        };
    }

    /// Gives a value to the member of an instance.
    ///
    /// @throws InvocationTargetException if the setter threw
    /// @throws IllegalAccessException if the class does not allow reflection
    default void into(Object instance, Object value)
            throws InvocationTargetException, IllegalAccessException {
        switch (this) {
            case IntoField(Field field) -> {
                field.trySetAccessible();
                field.set(instance, value);
            }
            case IntoSetter(Method setter) -> {
                setter.trySetAccessible();
                setter.invoke(instance, value);
            }
        }
    }

    private static String capital(String property) {
        return property.substring(0, 1).toUpperCase(Locale.ROOT) + property.substring(1);
    }

    /// Returns the property of a setter: `setName` has `name`, `setURL` has `URL` (JavaBeans §8.8).
    private static String property(String setter) {
        boolean acronym =
                setter.length() > 4
                        && Character.isUpperCase(setter.charAt(3))
                        && Character.isUpperCase(setter.charAt(4));
        if (acronym) {
            return setter.substring(3);
        }
        return setter.substring(3, 4).toLowerCase(Locale.ROOT) + setter.substring(4);
    }
}
