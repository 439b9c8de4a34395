package dev.serval.bench.start;

import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.function.Consumer;

/// Generates the classes of a library that a container must find by their annotations or by a
/// service file (Servlet 6.1 §8.1 and §8.2.4). They are named by the Servlet API, which is not on
/// the suite's class path.
final class WebClass {
    private static final String ANNOTATIONS = "jakarta.servlet.annotation.";
    private static final ClassDesc CONTEXT = ClassDesc.of("jakarta.servlet.ServletContext");
    private static final ClassDesc SET = ClassDesc.of("java.util.Set");

    private WebClass() {}

    /// Returns a servlet with this mapping.
    static byte[] servlet(String name, String mapping) {
        return annotated(
                name,
                "jakarta.servlet.http.HttpServlet",
                List.of(),
                Annotation.of(
                        ClassDesc.of(ANNOTATIONS + "WebServlet"),
                        AnnotationElement.of(
                                "value",
                                AnnotationValue.ofArray(AnnotationValue.ofString(mapping)))));
    }

    /// Returns a listener of the application's start and stop that does nothing.
    static byte[] listener(String name) {
        return annotated(
                name,
                "java.lang.Object",
                List.of(ClassDesc.of("jakarta.servlet.ServletContextListener")),
                Annotation.of(ClassDesc.of(ANNOTATIONS + "WebListener")));
    }

    private static byte[] annotated(
            String name, String superclass, List<ClassDesc> interfaces, Annotation annotation) {
        ClassDesc parent = ClassDesc.of(superclass);
        return build(
                name,
                parent,
                interfaces,
                type -> {
                    type.withSuperclass(parent);
                    type.with(RuntimeVisibleAnnotationsAttribute.of(annotation));
                });
    }

    /// Returns a public class with a constructor without parameters.
    private static byte[] build(
            String name,
            ClassDesc parent,
            List<ClassDesc> interfaces,
            Consumer<ClassBuilder> more) {
        return ClassFile.of()
                .build(
                        ClassDesc.of(name),
                        type -> {
                            type.withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_SUPER);
                            type.withInterfaceSymbols(interfaces);
                            more.accept(type);
                            LibraryClass.constructor(type, parent);
                        });
    }

    /// Returns an interface without methods.
    static byte[] emptyInterface(String name) {
        return ClassFile.of()
                .build(
                        ClassDesc.of(name),
                        type ->
                                type.withFlags(
                                        ClassFile.ACC_PUBLIC
                                                | ClassFile.ACC_INTERFACE
                                                | ClassFile.ACC_ABSTRACT));
    }

    /// Returns a class with this interface.
    static byte[] implementation(String name, String implemented) {
        List<ClassDesc> interfaces = List.of(ClassDesc.of(implemented));
        return build(name, ConstantDescs.CD_Object, interfaces, _ -> {});
    }

    /// Returns a ServletContainerInitializer that asks for the classes with an interface, and does
    /// nothing with them.
    static byte[] initializer(String name, String handled) {
        Annotation handles =
                Annotation.of(
                        ClassDesc.of(ANNOTATIONS + "HandlesTypes"),
                        AnnotationElement.of(
                                "value",
                                AnnotationValue.ofArray(
                                        AnnotationValue.ofClass(ClassDesc.of(handled)))));
        return build(
                name,
                ConstantDescs.CD_Object,
                List.of(ClassDesc.of("jakarta.servlet.ServletContainerInitializer")),
                type -> {
                    type.with(RuntimeVisibleAnnotationsAttribute.of(handles));
                    type.withMethodBody(
                            "onStartup",
                            MethodTypeDesc.of(ConstantDescs.CD_void, SET, CONTEXT),
                            ClassFile.ACC_PUBLIC,
                            code -> code.return_());
                });
    }
}
