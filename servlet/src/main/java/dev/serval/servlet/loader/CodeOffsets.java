package dev.serval.servlet.loader;

/// Finds where the instructions of methods are in a class file (JVMS §4.1, §4.6, §4.7.3). Stateless.
final class CodeOffsets {
    private final byte[] file;
    private final ClassPool pool;
    private int at;

    private CodeOffsets(byte[] file, ClassPool pool) {
        this.file = file;
        this.pool = pool;
        this.at = pool.end();
    }

    /// Returns the position of the first instruction of each method; 0 for one without code.
    ///
    /// @throws IndexOutOfBoundsException if the file is damaged
    static int[] of(byte[] file, ClassPool pool) {
        return new CodeOffsets(file, pool).methods();
    }

    private int[] methods() {
        at += 6; // access, this class, super class
        int interfaces = next();
        at += 2 * interfaces;
        members();
        return members();
    }

    private int[] members() {
        int[] codes = new int[next()];
        for (int i = 0; i < codes.length; i++) {
            at += 6; // access, name, descriptor
            int attributes = next();
            for (int a = 0; a < attributes; a++) {
                if (pool.isText(next(), "Code")) {
                    codes[i] = at + 12; // after the attribute's length and three sizes
                }
                long length = Integer.toUnsignedLong(next() << 16 | next());
                if (length > file.length - at) {
                    throw new IndexOutOfBoundsException("An attribute is longer than its file");
                }
                at += (int) length;
            }
        }
        return codes;
    }

    private int next() {
        int value = pool.u2(at);
        at += 2;
        return value;
    }
}
