package dev.serval.bench.start;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/// Generates classes that have the size and the parts of classes in libraries: fields, methods that
/// call each other, branches, texts, annotations, and a superclass of the same package. Their code
/// is never run.
record LibraryClass(SplittableRandom random) {
    private static final int PUBLIC_STATIC = ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC;
    private static final MethodTypeDesc OF_INT =
            MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int);
    private static final MethodTypeDesc LENGTH = MethodTypeDesc.of(ConstantDescs.CD_int);
    private static final MethodTypeDesc VOID = MethodTypeDesc.of(ConstantDescs.CD_void);
    private static final int METHODS_MIN = 12;
    private static final int METHODS_MAX = 30;
    private static final int FIELDS_MAX = 8;
    private static final int STEPS_MIN = 6;
    private static final int STEPS_MAX = 22;

    /// One class in ten has an annotation.
    private static final int ANNOTATED = 10;

    private static final List<String> WORDS = words();

    private static List<String> words() {
        try (InputStream in = LibraryClass.class.getResourceAsStream("words.txt")) {
            byte[] all = Objects.requireNonNull(in).readAllBytes();
            return new String(all, StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns a class.
    byte[] bytes(String name, String superclass) {
        ClassDesc self = ClassDesc.of(name);
        ClassDesc parent = ClassDesc.of(superclass);
        return ClassFile.of()
                .build(
                        self,
                        type -> {
                            type.withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_SUPER);
                            type.withSuperclass(parent);
                            if (random.nextInt(ANNOTATED) == 0) {
                                type.with(RuntimeVisibleAnnotationsAttribute.of(annotation()));
                            }
                            constructor(type, parent);
                            members(type, self);
                        });
    }

    private Annotation annotation() {
        return Annotation.of(
                ClassDesc.of("org.example.Documented" + random.nextInt(ANNOTATED)),
                AnnotationElement.of("value", AnnotationValue.ofString(text())));
    }

    /// Adds a constructor without parameters.
    static void constructor(ClassBuilder type, ClassDesc parent) {
        type.withMethodBody(
                ConstantDescs.INIT_NAME,
                VOID,
                ClassFile.ACC_PUBLIC,
                code ->
                        code.aload(0)
                                .invokespecial(parent, ConstantDescs.INIT_NAME, VOID)
                                .return_());
    }

    private void members(ClassBuilder type, ClassDesc self) {
        int fields = 1 + random.nextInt(FIELDS_MAX);
        for (int i = 0; i < fields; i++) {
            type.withField("field" + i, ConstantDescs.CD_int, ClassFile.ACC_STATIC);
        }
        int methods = random.nextInt(METHODS_MIN, METHODS_MAX);
        List<String> names =
                random.ints(methods, 0, WORDS.size()).mapToObj(WORDS::get).distinct().toList();
        for (String name : names) {
            type.withMethodBody(
                    name,
                    OF_INT,
                    PUBLIC_STATIC,
                    code -> {
                        int steps = random.nextInt(STEPS_MIN, STEPS_MAX);
                        for (int i = 0; i < steps; i++) {
                            step(code, self, names, "field" + random.nextInt(fields));
                        }
                        code.iload(0).ireturn();
                    });
        }
    }

    /// Appends a statement that changes the parameter.
    private void step(CodeBuilder code, ClassDesc self, List<String> methods, String field) {
        switch (random.nextInt(5)) {
            case 0 ->
                    code.loadConstant(text())
                            .invokevirtual(ConstantDescs.CD_String, "length", LENGTH)
                            .iload(0)
                            .iadd()
                            .istore(0);
            case 1 -> code.iload(0).loadConstant(random.nextInt()).ixor().istore(0);
            case 2 -> {
                String called = methods.get(random.nextInt(methods.size()));
                code.iload(0).invokestatic(self, called, OF_INT).istore(0);
            }
            case 3 ->
                    code.iload(0)
                            .loadConstant(random.nextInt(1000))
                            .ifThen(Opcode.IF_ICMPGT, then -> then.iinc(0, random.nextInt(100)));
            default -> code.iload(0).putstatic(self, field, ConstantDescs.CD_int);
        }
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        int words = 1 + random.nextInt(6);
        for (int i = 0; i < words; i++) {
            text.append(i == 0 ? "" : " ").append(WORDS.get(random.nextInt(WORDS.size())));
        }
        return text.append(random.nextInt(1000)).toString();
    }
}
