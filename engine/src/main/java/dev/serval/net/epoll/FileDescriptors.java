package dev.serval.net.epoll;

import java.io.FileDescriptor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/// Finds the file descriptor of a FileChannel, to send files by system call. The JDK does not
/// expose it. Works if `java.base/sun.nio.ch` and `java.base/java.io` are opened to us. Stateless.
final class FileDescriptors {
    private static final @Nullable VarHandle DESCRIPTOR =
            field("sun.nio.ch.FileChannelImpl", "fd", FileDescriptor.class);
    private static final @Nullable VarHandle NUMBER =
            field("java.io.FileDescriptor", "fd", int.class);

    private FileDescriptors() {}

    /// Returns whether file descriptors are available.
    static boolean available() {
        return DESCRIPTOR != null && NUMBER != null;
    }

    /// Returns the file descriptor of an open file, or -1 if the channel is of another kind.
    static int of(FileChannel file) {
        VarHandle descriptor = DESCRIPTOR;
        VarHandle number = NUMBER;
        if (descriptor == null
                || number == null
                || !file.getClass().getName().equals("sun.nio.ch.FileChannelImpl")) {
            return -1;
        }
        return (int) number.get((FileDescriptor) descriptor.get(file));
    }

    private static @Nullable VarHandle field(String type, String name, Class<?> kind) {
        try {
            Class<?> owner = Class.forName(type);
            return MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
                    .findVarHandle(owner, name, kind);
        } catch (ReflectiveOperationException e) {
            return null; // not opened: available() is false, so another transport is used
        }
    }
}
