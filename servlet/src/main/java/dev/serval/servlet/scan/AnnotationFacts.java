package dev.serval.servlet.scan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An annotation as a class file has it. Elements that have their default value are absent.
///
/// @param type the annotation type's name, for example `jakarta.servlet.annotation.WebServlet`
/// @param values the elements by name, in the order of the class file
public record AnnotationFacts(String type, Map<String, Value> values) {
    /// The value of an element.
    public sealed interface Value {
        /// A constant, the name of an enum's constant, or the name of a class.
        record Text(String text) implements Value {}

        /// An array.
        record Many(List<Value> values) implements Value {
            /// Copies the values.
            public Many {
                values = List.copyOf(values);
            }
        }

        /// An annotation.
        record Nested(AnnotationFacts annotation) implements Value {}
    }

    /// Copies the values.
    public AnnotationFacts {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /// Returns the text of an element; null if the element is absent or is no text.
    public @Nullable String text(String name) {
        return values.get(name) instanceof Value.Text text ? text.text() : null;
    }

    /// Returns the text of an element, or the given text if the element is absent.
    public String text(String name, String absent) {
        @Nullable String text = text(name);
        return text == null ? absent : text;
    }

    /// Returns the texts of an array; empty if the element is absent.
    public List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        for (Value value : elements(name)) {
            if (value instanceof Value.Text text) {
                texts.add(text.text());
            }
        }
        return texts;
    }

    /// Returns the annotations of an array, or the one annotation of an element; empty if the
    /// element is absent.
    public List<AnnotationFacts> annotations(String name) {
        List<AnnotationFacts> annotations = new ArrayList<>();
        for (Value value : elements(name)) {
            if (value instanceof Value.Nested nested) {
                annotations.add(nested.annotation());
            }
        }
        return annotations;
    }

    private List<Value> elements(String name) {
        @Nullable Value value = values.get(name);
        return switch (value) {
            case null -> List.of();
            case Value.Many many -> many.values();
            case Value.Text text -> List.of(text);
            case Value.Nested nested -> List.of(nested);
        };
    }
}
