package dev.serval.servlet.scan;

import java.lang.reflect.AccessFlag;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the container has to know of a class before it loads any. Immutable.
///
/// @param name the binary name, for example `com.example.Cart$Item`
/// @param superName null for `java.lang.Object` only
/// @param interfaces the direct superinterfaces
/// @param flags the access flags, see [AccessFlag]
/// @param annotationTypes the annotations of the class, its methods and its fields, by type
/// @param annotations the annotations of Servlet and Jakarta Annotations on the class itself
public record ClassFacts(
        String name,
        @Nullable String superName,
        List<String> interfaces,
        int flags,
        Set<String> annotationTypes,
        List<AnnotationFacts> annotations) {
    /// Copies the collections.
    public ClassFacts {
        interfaces = List.copyOf(interfaces);
        annotationTypes = Set.copyOf(annotationTypes);
        annotations = List.copyOf(annotations);
    }

    /// Returns the annotation of that type on the class itself; null if there is none.
    public @Nullable AnnotationFacts annotation(String type) {
        for (AnnotationFacts annotation : annotations) {
            if (annotation.type().equals(type)) {
                return annotation;
            }
        }
        return null;
    }

    /// Returns whether no instance of it can exist: an interface or an abstract class.
    public boolean isIncomplete() {
        return (flags & (AccessFlag.ABSTRACT.mask() | AccessFlag.INTERFACE.mask())) != 0;
    }
}
