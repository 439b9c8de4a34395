package dev.serval.servlet.descriptor;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What an application declares for `java:comp/env` and for the life of its objects (Servlet 6.1
/// §14.4, §15.5). Immutable.
///
/// @param envEntries simple values; names are unique
/// @param references resource-ref and its kin; names are unique within a kind
/// @param postConstruct methods to call on an object after its injection
/// @param preDestroy methods to call on an object before its end
public record NamingDescription(
        List<EnvEntry> envEntries,
        List<Reference> references,
        List<LifecycleMethod> postConstruct,
        List<LifecycleMethod> preDestroy) {
    /// Nothing declared.
    public static final NamingDescription NONE =
            new NamingDescription(List.of(), List.of(), List.of(), List.of());

    /// An env-entry. It has a value, a name to look up, or neither, and then does not exist.
    ///
    /// @param name relative to `java:comp/env`
    /// @param type the name of its class; null if the injection target tells it
    /// @param value its text; null if not declared
    /// @param lookupName another name that gives the value; null if not declared
    /// @param targets fields and setters that receive the value
    /// @param origin where it was declared
    public record EnvEntry(
            String name,
            @Nullable String type,
            @Nullable String value,
            @Nullable String lookupName,
            List<InjectionTarget> targets,
            Origin origin) {
        /// Copies the targets.
        public EnvEntry {
            targets = List.copyOf(targets);
        }
    }

    /// A resource-ref, resource-env-ref or another reference, kept as declared.
    ///
    /// @param kind the element's name, for example `resource-ref`
    /// @param name relative to `java:comp/env`
    /// @param values the texts of its other elements, by element name; an element `property` by
    ///     [#PROPERTY] and its name
    /// @param targets fields and setters that receive the object
    /// @param origin where it was declared
    public record Reference(
            String kind,
            String name,
            Map<String, String> values,
            List<InjectionTarget> targets,
            Origin origin) {
        /// Begins the key of a property among the values.
        public static final String PROPERTY = "property ";

        /// Copies the collections.
        public Reference {
            values = Map.copyOf(values);
            targets = List.copyOf(targets);
        }
    }

    /// A field, or a setter by its property's name.
    public record InjectionTarget(String className, String name) {}

    /// A method without parameters.
    ///
    /// @param className null for the class of the component that the descriptor is about
    /// @param origin where it was declared
    public record LifecycleMethod(@Nullable String className, String method, Origin origin) {}

    /// Copies the lists.
    public NamingDescription {
        envEntries = List.copyOf(envEntries);
        references = List.copyOf(references);
        postConstruct = List.copyOf(postConstruct);
        preDestroy = List.copyOf(preDestroy);
    }
}
