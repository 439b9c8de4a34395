package dev.serval.database;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Properties;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Sets the properties of an object by its setters, as data sources have them (JDBC 4.3 §9.6.1).
/// Stateless.
final class BeanProperties {
    private BeanProperties() {}

    /// Sets the properties, in the order of their names.
    ///
    /// @throws IllegalArgumentException if the object has no setter for one, or refuses its value;
    ///     the message has no value, which may be a password
    static void set(Object bean, Properties properties) {
        for (String name : new TreeSet<>(properties.stringPropertyNames())) {
            set(bean, name, properties.getProperty(name, ""));
        }
    }

    private static void set(Object bean, String name, String text) {
        boolean found = false;
        for (Method method : bean.getClass().getMethods()) {
            // Without case, because the property url has the setter setURL in some classes.
            if (method.getName().equalsIgnoreCase("set" + name)
                    && method.getParameterCount() == 1) {
                found = true;
                @Nullable Object value = value(method.getParameterTypes()[0], text);
                if (value != null) {
                    call(method, bean, name, value);
                    return;
                }
            }
        }
        throw new IllegalArgumentException(
                "its class "
                        + bean.getClass().getName()
                        + (found
                                ? " does not take the value of the property \""
                                : " has no property \"")
                        + name
                        + "\". Correct or remove it.");
    }

    /// Returns the text as a value of a type; null if it cannot be one.
    private static @Nullable Object value(Class<?> type, String text) {
        try {
            return switch (type.getName()) {
                case "java.lang.String" -> text;
                case "int", "java.lang.Integer" -> Integer.valueOf(text);
                case "long", "java.lang.Long" -> Long.valueOf(text);
                case "short", "java.lang.Short" -> Short.valueOf(text);
                case "boolean", "java.lang.Boolean" ->
                        (text.equals("true") || text.equals("false"))
                                ? Boolean.valueOf(text)
                                : null;
                case "[Ljava.lang.String;" -> text.split(",", -1);
                default -> null;
            };
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static void call(Method setter, Object bean, String name, Object value) {
        try {
            setter.invoke(bean, value);
        } catch (InvocationTargetException | IllegalAccessException e) {
            throw new IllegalArgumentException(
                    "its class "
                            + bean.getClass().getName()
                            + " refuses the value of the property \""
                            + name
                            + "\". Correct or remove it.",
                    e);
        }
    }
}
