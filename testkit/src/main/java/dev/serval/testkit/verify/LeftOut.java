package dev.serval.testkit.verify;

import java.io.IOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Finds the long tests of a compiled class, which run only with `--strict`: those with `@Tag` and
/// the word `long`. Reads the class file, because a test that did not run left no report. Stateless.
final class LeftOut {
    private static final String TAG = "Lorg/junit/jupiter/api/Tag;";
    private static final String WORD = "long";

    private LeftOut() {}

    /// Returns the name of the class if all its tests are long, otherwise the names of its long
    /// tests, such as `FooTest.bar`.
    ///
    /// @throws IOException if the file cannot be read
    static List<String> in(Path file) throws IOException {
        ClassModel type = ClassFile.of().parse(file);
        String path = type.thisClass().asInternalName();
        String name = path.substring(path.lastIndexOf('/') + 1);
        if (isLong(type)) {
            return List.of(name);
        }
        List<String> tests = new ArrayList<>();
        for (MethodModel method : type.methods()) {
            if (isLong(method)) {
                tests.add(name + "." + method.methodName().stringValue());
            }
        }
        return tests;
    }

    private static boolean isLong(AttributedElement element) {
        return element.findAttribute(Attributes.runtimeVisibleAnnotations())
                .map(found -> found.annotations().stream().anyMatch(LeftOut::isLong))
                .orElse(false);
    }

    private static boolean isLong(Annotation annotation) {
        return annotation.className().equalsString(TAG)
                && annotation.elements().stream()
                        .anyMatch(element ->
                                element.value() instanceof AnnotationValue.OfString text
                                        && text.stringValue().equals(WORD));
    }
}
