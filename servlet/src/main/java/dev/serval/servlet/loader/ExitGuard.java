package dev.serval.servlet.loader;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Replaces calls that end the process, `System.exit`, `Runtime.exit` and `Runtime.halt`, in the
/// class files of an application. They call methods of [#SUBSTITUTE] instead, which throw.
///
/// The file is changed in place: constants of methods get another owner, and `invokevirtual` becomes
/// `invokestatic` of a method that also takes the receiver. So the stack stays as it was, and the
/// stack maps stay valid without the hierarchy of the classes. Method references are changed too.
/// Reflection is not (SECURITY.md). Stateless.
final class ExitGuard {
    /// The class that has the replaced methods, defined in the loader of each application.
    static final String SUBSTITUTE = "dev.serval.servlet.loader.ExitCalls";

    private static final ClassDesc SUBSTITUTE_TYPE = ClassDesc.of(SUBSTITUTE);
    private static final ClassDesc RUNTIME_TYPE = ClassDesc.of("java.lang.Runtime");
    private static final ClassDesc THROWN = ClassDesc.of("java.lang.SecurityException");
    private static final String WITH_RECEIVER = "(Ljava/lang/Runtime;I)V";
    private static final int ENTRIES_MAX = 0xffff; // JVMS §4.1
    private static final int INVOKE_VIRTUAL = 0xb6;
    private static final int INVOKE_STATIC = 0xb8;
    private static final int REF_VIRTUAL = 5; // JVMS §5.4.3.5
    private static final int REF_STATIC = 6;

    private ExitGuard() {}

    /// Returns the class file with its calls replaced; the same array if it has none or is damaged.
    static byte[] guarded(byte[] file) {
        if (!ClassPool.mentions(file, "exit", "halt")) {
            return file;
        }
        @Nullable ClassPool pool = ClassPool.read(file);
        return pool == null ? file : guarded(file, pool);
    }

    private static byte[] guarded(byte[] file, ClassPool pool) {
        BitSet ofRuntime = new BitSet();
        BitSet ofSystem = new BitSet();
        for (int i = 1; i < pool.count(); i++) {
            if (pool.isMethod(i, "java/lang/System", "exit", "(I)V")) {
                ofSystem.set(i);
            } else if (pool.isMethod(i, "java/lang/Runtime", "exit", "(I)V")
                    || pool.isMethod(i, "java/lang/Runtime", "halt", "(I)V")) {
                ofRuntime.set(i);
            }
        }
        int added = 3 + ofRuntime.cardinality();
        boolean none = ofSystem.isEmpty() && ofRuntime.isEmpty();
        if (none || pool.count() + added > ENTRIES_MAX) {
            return file;
        }
        byte[] changed = file.clone();
        if (!ofRuntime.isEmpty() && !becomeStatic(changed, pool, ofRuntime)) {
            return file;
        }
        return redirected(changed, pool, ofSystem, ofRuntime);
    }

    /// Returns the file whose constants name the substitute. New constants follow the others.
    private static byte[] redirected(
            byte[] file, ClassPool pool, BitSet ofSystem, BitSet ofRuntime) {
        int owner = pool.count() + 1;
        int descriptor = pool.count() + 2;
        int next = pool.count() + 3;
        byte[] name = SUBSTITUTE.replace('.', '/').getBytes(UTF_8);
        byte[] type = WITH_RECEIVER.getBytes(UTF_8);
        ByteBuffer extra =
                ByteBuffer.allocate(9 + name.length + type.length + 5 * ofRuntime.cardinality());
        extra.put((byte) ClassPool.UTF8).putShort((short) name.length).put(name);
        extra.put((byte) ClassPool.CLASS).putShort((short) pool.count());
        extra.put((byte) ClassPool.UTF8).putShort((short) type.length).put(type);
        ByteBuffer out = ByteBuffer.wrap(file);
        for (int i : ofSystem.stream().toArray()) {
            out.putShort(pool.at(i) + 1, (short) owner);
        }
        for (int i : ofRuntime.stream().toArray()) {
            extra.put((byte) ClassPool.NAME_AND_TYPE);
            extra.putShort((short) pool.nameOf(i)).putShort((short) descriptor);
            out.putShort(pool.at(i) + 1, (short) owner);
            out.putShort(pool.at(i) + 3, (short) next);
            next++;
        }
        out.putShort(ClassPool.COUNT_AT, (short) next);
        return ByteBuffer.allocate(file.length + extra.capacity())
                .put(file, 0, pool.end())
                .put(extra.array())
                .put(file, pool.end(), file.length - pool.end())
                .array();
    }

    /// Makes calls with a receiver static.
    ///
    /// @return false if the file is damaged
    private static boolean becomeStatic(byte[] file, ClassPool pool, BitSet methods) {
        for (int i = 1; i < pool.count(); i++) {
            int at = pool.at(i);
            if (pool.is(i, ClassPool.METHOD_HANDLE)
                    && file[at + 1] == REF_VIRTUAL
                    && methods.get(pool.u2(at + 2))) {
                file[at + 1] = REF_STATIC;
            }
        }
        try {
            int[] codes = CodeOffsets.of(file, pool);
            List<MethodModel> all = ClassFile.of().parse(file.clone()).methods();
            for (int m = 0; m < codes.length; m++) {
                becomeStatic(file, codes[m], all.get(m), methods);
            }
            return true;
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return false; // the JVM refuses the file with a better message
        }
    }

    private static void becomeStatic(byte[] file, int code, MethodModel method, BitSet methods) {
        if (method.code().isEmpty()) {
            return;
        }
        int at = code;
        for (CodeElement element : method.code().get()) {
            if (element instanceof Instruction instruction) {
                boolean call = (file[at] & 0xff) == INVOKE_VIRTUAL;
                if (call && methods.get(ByteBuffer.wrap(file).getShort(at + 1) & 0xffff)) {
                    file[at] = (byte) INVOKE_STATIC;
                }
                at += instruction.sizeInBytes();
            }
        }
    }

    /// Returns the class file of [#SUBSTITUTE] for an application.
    static byte[] substitute(String app) {
        MethodTypeDesc plain = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);
        MethodTypeDesc withReceiver =
                MethodTypeDesc.of(ConstantDescs.CD_void, RUNTIME_TYPE, ConstantDescs.CD_int);
        return ClassFile.of()
                .build(
                        SUBSTITUTE_TYPE,
                        type -> {
                            type.withFlags(
                                    ClassFile.ACC_PUBLIC
                                            | ClassFile.ACC_FINAL
                                            | ClassFile.ACC_SUPER);
                            thrower(type, "exit", plain, sentence(app, "System.exit"));
                            thrower(type, "exit", withReceiver, sentence(app, "Runtime.exit"));
                            thrower(type, "halt", withReceiver, sentence(app, "Runtime.halt"));
                        });
    }

    private static String sentence(String app, String call) {
        return "The application "
                + app
                + " called "
                + call
                + ", which would end the server for all applications, so the call was refused: throw"
                + " an exception instead";
    }

    private static void thrower(
            ClassBuilder type, String method, MethodTypeDesc parameters, String message) {
        type.withMethodBody(
                method,
                parameters,
                ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                code ->
                        code.new_(THROWN)
                                .dup()
                                .loadConstant(message)
                                .invokespecial(
                                        THROWN,
                                        ConstantDescs.INIT_NAME,
                                        MethodTypeDesc.of(
                                                ConstantDescs.CD_void, ConstantDescs.CD_String))
                                .athrow());
    }
}
