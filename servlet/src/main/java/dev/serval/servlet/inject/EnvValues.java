package dev.serval.servlet.inject;

import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.Origin;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Makes the values of the environment entries and references that an application declares.
/// Stateless.
public final class EnvValues {
    private static final Set<Class<?>> SIMPLE =
            Set.of(
                    String.class,
                    Character.class,
                    Integer.class,
                    Boolean.class,
                    Double.class,
                    Byte.class,
                    Short.class,
                    Long.class,
                    Float.class,
                    Class.class);

    private EnvValues() {}

    /// Returns the names of an application with the values that its descriptors declare. An entry
    /// without a value is not bound.
    ///
    /// @param moduleName the name of the application
    /// @param environment what the descriptors declare
    /// @param given values by name, to which a `lookup` may refer; they replace declared values
    /// @param loader loads the application's classes and enums
    /// @throws DescriptorException if a value does not fit its type, or a `lookup` has no value
    public static AppNaming naming(
            String moduleName,
            Environment environment,
            Map<String, Object> given,
            ClassLoader loader)
            throws DescriptorException {
        Map<String, Object> values = new LinkedHashMap<>();
        given.forEach((name, value) -> values.put(AppNaming.canonical(name), value));
        Set<String> fixed = Set.copyOf(values.keySet());
        Map<String, Link> links = new LinkedHashMap<>();
        Set<String> declared = new HashSet<>();
        for (EnvEntry entry : environment.entries()) {
            String name = claimed(entry.name(), entry.origin(), declared);
            @Nullable String value = entry.value();
            @Nullable String lookup = entry.lookup();
            if (value != null && lookup != null) {
                throw new DescriptorException(
                        entry.origin(),
                        "The env-entry \""
                                + entry.name()
                                + "\" has both a value and a lookup-name. Remove one of them.");
            }
            if (value != null) {
                values.putIfAbsent(name, convert(value, typeOf(entry, loader), loader, entry));
            } else if (lookup != null && !fixed.contains(name)) {
                links.put(name, new Link(AppNaming.canonical(lookup), entry.origin()));
            }
        }
        for (ResourceRef reference : environment.references()) {
            String name = claimed(reference.name(), reference.origin(), declared);
            @Nullable String lookup = reference.lookup();
            if (lookup != null && !fixed.contains(name)) {
                links.put(name, new Link(AppNaming.canonical(lookup), reference.origin()));
            }
        }
        follow(links, values);
        try {
            return AppNaming.of(moduleName, values);
        } catch (IllegalArgumentException wrong) {
            throw new DescriptorException(
                    Origin.code("environment entries"), String.valueOf(wrong.getMessage()), wrong);
        }
    }

    /// Returns whether a type may be that of an environment entry.
    static boolean isSimple(Class<?> type) {
        return SIMPLE.contains(type) || type.isEnum();
    }

    /// Returns the class that holds values of a primitive type; other types as they are.
    static Class<?> boxed(Class<?> type) {
        return MethodType.methodType(type).wrap().returnType();
    }

    private record Link(String target, Origin origin) {}

    private static String claimed(String name, Origin origin, Set<String> declared)
            throws DescriptorException {
        String canonical = AppNaming.canonical(name);
        if (!declared.add(canonical)) {
            throw new DescriptorException(
                    origin, "The name \"" + name + "\" is declared twice. Remove one of them.");
        }
        return canonical;
    }

    /// Binds each link to the value of its target, however many links lead there.
    private static void follow(Map<String, Link> links, Map<String, Object> values)
            throws DescriptorException {
        for (Map.Entry<String, Link> entry : links.entrySet()) {
            Set<String> seen = new HashSet<>();
            @Nullable Link link = entry.getValue();
            String target = entry.getKey();
            while (link != null && seen.add(target)) {
                target = link.target();
                link = links.get(target);
            }
            @Nullable Object value = values.get(target);
            if (value == null) {
                throw new DescriptorException(
                        entry.getValue().origin(),
                        "The lookup-name of \""
                                + entry.getKey()
                                + "\" leads to \""
                                + target
                                + "\", which has no value. Declare that name or correct it.");
            }
            values.put(entry.getKey(), value);
        }
    }

    private static Class<?> typeOf(EnvEntry entry, ClassLoader loader) throws DescriptorException {
        @Nullable String name = entry.type();
        if (name != null) {
            return load(name, loader, entry);
        }
        for (InjectionTarget target : entry.targets()) {
            Class<?> declaring = load(target.className(), loader, entry);
            @Nullable Injection injection = Injection.find(declaring, target.member());
            if (injection != null) {
                return boxed(injection.type());
            }
        }
        throw new DescriptorException(
                entry.origin(),
                "The env-entry \""
                        + entry.name()
                        + "\" has no type. Add <env-entry-type> or an <injection-target> that"
                        + " exists.");
    }

    private static Object convert(String text, Class<?> type, ClassLoader loader, EnvEntry entry)
            throws DescriptorException {
        try {
            return type.isEnum() ? constant(text.strip(), type) : simple(text, type, loader);
        } catch (IllegalArgumentException | ClassNotFoundException wrong) {
            throw new DescriptorException(
                    entry.origin(),
                    "The value \""
                            + text
                            + "\" of the env-entry \""
                            + entry.name()
                            + "\" is not a "
                            + type.getName()
                            + ". Correct the value or the type.",
                    wrong);
        }
    }

    private static Object constant(String text, Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> ((Enum<?>) constant).name().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(text));
    }

    private static Object simple(String text, Class<?> type, ClassLoader loader)
            throws ClassNotFoundException {
        String stripped = text.strip();
        return switch (type.getName()) {
            case "java.lang.String" -> text;
            case "java.lang.Character" -> character(text);
            case "java.lang.Integer" -> Integer.valueOf(stripped);
            case "java.lang.Boolean" -> bool(stripped);
            case "java.lang.Double" -> Double.valueOf(stripped);
            case "java.lang.Byte" -> Byte.valueOf(stripped);
            case "java.lang.Short" -> Short.valueOf(stripped);
            case "java.lang.Long" -> Long.valueOf(stripped);
            case "java.lang.Float" -> Float.valueOf(stripped);
            case "java.lang.Class" -> Class.forName(stripped, false, loader);
            default -> throw new IllegalArgumentException("not the type of an env-entry");
        };
    }

    private static Character character(String text) {
        if (text.length() != 1) {
            throw new IllegalArgumentException("not one character");
        }
        return text.charAt(0);
    }

    private static Boolean bool(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> Boolean.TRUE;
            case "false" -> Boolean.FALSE;
            default -> throw new IllegalArgumentException("neither true nor false");
        };
    }

    private static Class<?> load(String name, ClassLoader loader, EnvEntry entry)
            throws DescriptorException {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError missing) {
            throw new DescriptorException(
                    entry.origin(),
                    "The class "
                            + name
                            + " of the env-entry \""
                            + entry.name()
                            + "\" cannot be loaded. Add it to WEB-INF/classes or correct its name.",
                    missing);
        }
    }
}
