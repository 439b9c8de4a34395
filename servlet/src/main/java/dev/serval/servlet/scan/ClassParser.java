package dev.serval.servlet.scan;

import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.constant.ClassDesc;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Turns the bytes of a class file into [ClassFacts]. Only annotations that are visible at run time
/// count.
final class ClassParser {
    /// The annotations that are kept with their values.
    static final Set<String> KEPT =
            Set.of(
                    "jakarta.servlet.annotation.WebServlet",
                    "jakarta.servlet.annotation.WebFilter",
                    "jakarta.servlet.annotation.WebListener",
                    "jakarta.servlet.annotation.MultipartConfig",
                    "jakarta.servlet.annotation.ServletSecurity",
                    "jakarta.annotation.sql.DataSourceDefinition",
                    "jakarta.annotation.sql.DataSourceDefinitions",
                    "jakarta.annotation.security.RunAs",
                    "jakarta.annotation.security.DeclareRoles");

    /// The attribute's name, which the constant pool of every annotated class contains. Most
    /// classes do not have it, and then their methods and fields are not looked at, which takes
    /// most of the time.
    private static final byte[] ATTRIBUTE =
            "RuntimeVisibleAnnotations".getBytes(StandardCharsets.US_ASCII);

    private static final int NESTED_MAX_LEVELS = 8;

    private ClassParser() {}

    /// Reads a class file.
    ///
    /// @throws IllegalArgumentException if the bytes are no class file
    static ClassFacts parse(byte[] bytes) {
        try {
            return facts(ClassFile.of().parse(bytes), Bytes.contain(bytes, ATTRIBUTE));
        } catch (IndexOutOfBoundsException | ClassCastException | IllegalStateException broken) {
            // The JDK reports most broken files by IllegalArgumentException, but not all.
            throw new IllegalArgumentException(broken.toString(), broken);
        } catch (StackOverflowError broken) {
            // The JDK reads nested annotation values by recursion.
            throw new IllegalArgumentException("Its annotations are nested too deeply", broken);
        }
    }

    private static ClassFacts facts(ClassModel model, boolean annotated) {
        Set<String> types = new LinkedHashSet<>();
        List<AnnotationFacts> kept = new ArrayList<>();
        if (annotated) {
            addTypes(model, types, kept);
        }
        @Nullable ClassEntry superclass = model.superclass().orElse(null);
        List<String> interfaces = new ArrayList<>();
        for (ClassEntry entry : model.interfaces()) {
            interfaces.add(name(entry));
        }
        return new ClassFacts(
                name(model.thisClass()),
                superclass == null ? null : name(superclass),
                interfaces,
                model.flags().flagsMask(),
                types,
                kept);
    }

    private static void addTypes(ClassModel model, Set<String> types, List<AnnotationFacts> kept) {
        for (Annotation annotation : annotations(model)) {
            String type = name(annotation.classSymbol());
            types.add(type);
            if (KEPT.contains(type)) {
                kept.add(annotation(annotation, 1));
            }
        }
        for (AttributedElement method : model.methods()) {
            addTypes(method, types);
        }
        for (AttributedElement field : model.fields()) {
            addTypes(field, types);
        }
    }

    private static void addTypes(AttributedElement element, Set<String> types) {
        for (Annotation annotation : annotations(element)) {
            types.add(name(annotation.classSymbol()));
        }
    }

    private static List<Annotation> annotations(AttributedElement element) {
        Optional<RuntimeVisibleAnnotationsAttribute> attribute =
                element.findAttribute(Attributes.runtimeVisibleAnnotations());
        return attribute.isPresent() ? attribute.get().annotations() : List.of();
    }

    private static AnnotationFacts annotation(Annotation annotation, int level) {
        if (level > NESTED_MAX_LEVELS) {
            throw new IllegalArgumentException("Its annotations are nested too deeply");
        }
        Map<String, AnnotationFacts.Value> values = new LinkedHashMap<>();
        for (AnnotationElement element : annotation.elements()) {
            values.put(element.name().stringValue(), value(element.value(), level + 1));
        }
        return new AnnotationFacts(name(annotation.classSymbol()), values);
    }

    private static AnnotationFacts.Value value(AnnotationValue value, int level) {
        if (level > NESTED_MAX_LEVELS) {
            throw new IllegalArgumentException("Its annotations are nested too deeply");
        }
        return switch (value) {
            case AnnotationValue.OfConstant constant ->
                    new AnnotationFacts.Value.Text(String.valueOf(constant.resolvedValue()));
            case AnnotationValue.OfEnum constant ->
                    new AnnotationFacts.Value.Text(constant.constantName().stringValue());
            case AnnotationValue.OfClass type ->
                    new AnnotationFacts.Value.Text(name(type.classSymbol()));
            case AnnotationValue.OfAnnotation nested ->
                    new AnnotationFacts.Value.Nested(annotation(nested.annotation(), level + 1));
            case AnnotationValue.OfArray array -> {
                List<AnnotationFacts.Value> values = new ArrayList<>();
                for (AnnotationValue element : array.values()) {
                    values.add(value(element, level + 1));
                }
                yield new AnnotationFacts.Value.Many(values);
            }
        };
    }

    private static String name(ClassEntry entry) {
        return entry.asInternalName().replace('/', '.');
    }

    private static String name(ClassDesc type) {
        String descriptor = type.descriptorString();
        return descriptor.startsWith("L")
                ? descriptor.substring(1, descriptor.length() - 1).replace('/', '.')
                : descriptor;
    }
}
