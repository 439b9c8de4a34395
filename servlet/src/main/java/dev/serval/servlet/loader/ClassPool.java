package dev.serval.servlet.loader;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The constants of a class file and where they are in it (JVMS §4.4). It has positions, which
/// java.lang.classfile hides, so that a file can be changed in place. Immutable, but shows changes
/// of the file.
final class ClassPool {
    static final int COUNT_AT = 8;
    static final int UTF8 = 1;
    static final int CLASS = 7;
    static final int NAME_AND_TYPE = 12;
    static final int METHOD_HANDLE = 15;
    private static final int METHOD_REF = 10;
    private static final int FIRST_AT = 10;

    /// The size of each kind of constant by its tag; that of a text without its characters, and 0
    /// for an unknown tag.
    private static final byte[] SIZES = {
        0, 3, 0, 5, 5, 9, 9, 3, 3, 5, 5, 5, 5, 0, 0, 4, 3, 5, 5, 3, 3
    };

    private final byte[] bytes;
    private final ByteBuffer file; // of the bytes
    private final int[] offsets; // 0 for the unused place after a long or double
    private final int end;

    private ClassPool(byte[] bytes, int[] offsets, int end) {
        this.bytes = bytes;
        this.file = ByteBuffer.wrap(bytes);
        this.offsets = offsets;
        this.end = end;
    }

    /// Returns whether a class file has one of two texts of equal length among its constants. It is
    /// called for each class that is loaded, so it creates nothing.
    static boolean mentions(byte[] file, String one, String other) {
        if (file.length < FIRST_AT) {
            return false;
        }
        int count = u2(file, COUNT_AT);
        int at = FIRST_AT;
        for (int i = 1; i < count && at + 2 < file.length; i++) {
            int tag = file[at];
            int size = size(tag);
            if (size == 0) {
                return false;
            }
            if (tag == UTF8) {
                int length = u2(file, at + 1);
                if (length == one.length()
                        && (matches(file, at + size, one) || matches(file, at + size, other))) {
                    return true;
                }
                at += length;
            } else if (size == 9) {
                i++; // a long or double takes two places (JVMS §4.4.5)
            }
            at += size;
        }
        return false;
    }

    /// Returns the constants of a class file; null if it is damaged.
    static @Nullable ClassPool read(byte[] bytes) {
        int[] offsets = new int[u2(bytes, COUNT_AT)];
        int at = FIRST_AT;
        for (int i = 1; i < offsets.length; i++) {
            int size = at + 2 < bytes.length ? size(bytes[at]) : 0;
            if (size == 0) {
                return null;
            }
            offsets[i] = at;
            if (bytes[at] == UTF8) {
                size += u2(bytes, at + 1);
            } else if (size == 9) {
                i++;
            }
            at += size;
        }
        return at < bytes.length ? new ClassPool(bytes, offsets, at) : null;
    }

    /// Returns the number of the next constant.
    int count() {
        return offsets.length;
    }

    /// Returns the position after the last constant.
    int end() {
        return end;
    }

    /// Returns the position of a constant.
    int at(int index) {
        return offsets[index];
    }

    /// Returns whether a constant has a tag.
    boolean is(int index, int tag) {
        return index > 0
                && index < offsets.length
                && offsets[index] != 0
                && file.get(offsets[index]) == tag;
    }

    /// Returns the unsigned number of two bytes at a position.
    int u2(int position) {
        return Short.toUnsignedInt(file.getShort(position));
    }

    /// Returns the number of the constant that names a method.
    int nameOf(int method) {
        return u2(at(u2(at(method) + 3)) + 1);
    }

    /// Returns whether a constant is this method of a class.
    boolean isMethod(int index, String owner, String name, String descriptor) {
        if (!is(index, METHOD_REF)) {
            return false;
        }
        int type = u2(at(index) + 1);
        int named = u2(at(index) + 3);
        return is(type, CLASS)
                && is(named, NAME_AND_TYPE)
                && isText(u2(at(named) + 1), name)
                && isText(u2(at(named) + 3), descriptor)
                && isText(u2(at(type) + 1), owner);
    }

    /// Returns whether a constant is a text of ASCII characters.
    boolean isText(int index, String text) {
        return is(index, UTF8)
                && u2(at(index) + 1) == text.length()
                && matches(bytes, at(index) + 3, text);
    }

    private static boolean matches(byte[] file, int at, String text) {
        if (at + text.length() > file.length) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (file[at + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static int size(int tag) {
        return tag >= 0 && tag < SIZES.length ? SIZES[tag] : 0;
    }

    private static int u2(byte[] file, int at) {
        return (file[at] & 0xff) << 8 | (file[at + 1] & 0xff);
    }
}
