package dev.serval.servlet.webxml;

import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.NamingDescription.EnvEntry;
import dev.serval.servlet.descriptor.NamingDescription.InjectionTarget;
import dev.serval.servlet.descriptor.NamingDescription.LifecycleMethod;
import dev.serval.servlet.descriptor.NamingDescription.Reference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the elements of a descriptor about `java:comp/env` and lifecycle methods (Servlet 6.1
/// §14.4). References are kept as they are.
public final class NamingElements {
    public static final String DATA_SOURCE = "data-source";

    /// The elements that are references, with the element that names each.
    static final Map<String, String> REFERENCES =
            Map.ofEntries(
                    Map.entry("resource-ref", "res-ref-name"),
                    Map.entry("resource-env-ref", "resource-env-ref-name"),
                    Map.entry("ejb-ref", "ejb-ref-name"),
                    Map.entry("ejb-local-ref", "ejb-ref-name"),
                    Map.entry("service-ref", "service-ref-name"),
                    Map.entry("message-destination-ref", "message-destination-ref-name"),
                    Map.entry("persistence-context-ref", "persistence-context-ref-name"),
                    Map.entry("persistence-unit-ref", "persistence-unit-ref-name"),
                    Map.entry(DATA_SOURCE, "name"),
                    Map.entry("jms-connection-factory", "name"),
                    Map.entry("jms-destination", "name"),
                    Map.entry("mail-session", "name"),
                    Map.entry("connection-factory", "name"),
                    Map.entry("administered-object", "name"),
                    Map.entry("context-service", "name"),
                    Map.entry("managed-executor", "name"),
                    Map.entry("managed-scheduled-executor", "name"),
                    Map.entry("managed-thread-factory", "name"));

    private static final Set<String> ENTRY_TYPES =
            Set.of(
                    "java.lang.Boolean",
                    "java.lang.Byte",
                    "java.lang.Character",
                    "java.lang.String",
                    "java.lang.Short",
                    "java.lang.Integer",
                    "java.lang.Long",
                    "java.lang.Float",
                    "java.lang.Double",
                    "java.lang.Class");

    private final Declarations declared;

    NamingElements(Declarations declared) {
        this.declared = declared;
    }

    /// Reads an element if it is one of these.
    void read(XmlElement element) throws DescriptorException {
        switch (element.name()) {
            case "env-entry" -> envEntry(element);
            case "post-construct" -> declared.naming.postConstruct.add(method(element));
            case "pre-destroy" -> declared.naming.preDestroy.add(method(element));
            default -> {
                if (REFERENCES.containsKey(element.name())) {
                    reference(element);
                }
            }
        }
    }

    private void envEntry(XmlElement element) throws DescriptorException {
        element.allowOnly(
                List.of(
                        "description",
                        "env-entry-name",
                        "env-entry-type",
                        "env-entry-value",
                        "mapped-name",
                        "injection-target",
                        "lookup-name"));
        String name = element.required("env-entry-name").value();
        @Nullable XmlElement type = element.child("env-entry-type");
        @Nullable XmlElement value = element.child("env-entry-value");
        @Nullable String lookup = element.optional("lookup-name");
        if (value != null && lookup != null) {
            throw element.error(
                    "The env-entry \"%s\" has both <env-entry-value> and <lookup-name>. Keep one."
                            .formatted(name));
        }
        if (type != null && declared.head.version().isBefore(3, 0) && !isSimple(type.value())) {
            throw type.error(
                    ("The env-entry \"%s\" has the type %s. "
                                    + "Write java.lang.String or another of its kind.")
                            .formatted(name, type.value()));
        }
        EnvEntry entry =
                new EnvEntry(
                        name,
                        type == null ? null : type.value(),
                        value == null ? null : value.value(),
                        lookup,
                        targets(element),
                        element.origin());
        if (!declared.naming.envEntries.add(name, entry, element.origin())) {
            throw element.error(
                    "The env-entry \"%s\" is declared twice. Remove one.".formatted(name));
        }
    }

    private static boolean isSimple(String type) {
        return ENTRY_TYPES.contains(type);
    }

    private void reference(XmlElement element) throws DescriptorException {
        String kind = element.name();
        @Nullable String nameElement = REFERENCES.get(kind);
        String name = element.required(nameElement == null ? "name" : nameElement).value();
        Map<String, String> values = new LinkedHashMap<>();
        for (XmlElement child : element.children()) {
            if (!child.name().equals("injection-target") && child.children().isEmpty()) {
                values.putIfAbsent(child.name(), child.value());
            }
        }
        for (XmlElement property : element.children("property")) {
            values.putIfAbsent(
                    Reference.PROPERTY + property.required("name").value(),
                    property.required("value").value());
        }
        Reference reference = new Reference(kind, name, values, targets(element), element.origin());
        if (!declared.naming.references.add(kind + " " + name, reference, element.origin())) {
            throw element.error(
                    "The %s \"%s\" is declared twice. Remove one.".formatted(kind, name));
        }
    }

    private static List<InjectionTarget> targets(XmlElement element) throws DescriptorException {
        List<InjectionTarget> targets = new ArrayList<>();
        for (XmlElement target : element.children("injection-target")) {
            target.allowOnly(List.of("injection-target-class", "injection-target-name"));
            targets.add(
                    new InjectionTarget(
                            target.required("injection-target-class").value(),
                            target.required("injection-target-name").value()));
        }
        return targets;
    }

    private static LifecycleMethod method(XmlElement element) throws DescriptorException {
        element.allowOnly(List.of("lifecycle-callback-class", "lifecycle-callback-method"));
        return new LifecycleMethod(
                element.optional("lifecycle-callback-class"),
                element.required("lifecycle-callback-method").value(),
                element.origin());
    }
}
