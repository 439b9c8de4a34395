package dev.serval.net.epoll;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Finds the memory address of direct buffers, for system calls. The public API, a MemorySegment of
/// the buffer, may allocate one or two objects for each call. Works if `java.base/sun.nio.ch` is
/// opened to us. Stateless.
final class BufferAddress {
    private static final @Nullable MethodHandle START = start();

    private BufferAddress() {}

    /// Returns whether addresses are available.
    static boolean available() {
        return START != null;
    }

    /// Returns the address of the buffer's position.
    static long of(ByteBuffer direct) {
        MethodHandle start = START;
        if (start == null) {
            throw new IllegalStateException(
                    "Cannot find addresses: java.base/sun.nio.ch is not opened");
        }
        try {
            return (long) start.invokeExact(direct) + direct.position();
        } catch (Throwable e) {
            throw new IllegalArgumentException(
                    "Cannot find the address: the buffer is not direct", e);
        }
    }

    private static @Nullable MethodHandle start() {
        try {
            Class<?> owner = Class.forName("sun.nio.ch.DirectBuffer");
            return MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
                    .findVirtual(owner, "address", MethodType.methodType(long.class))
                    .asType(MethodType.methodType(long.class, ByteBuffer.class));
        } catch (ReflectiveOperationException e) {
            return null; // not opened: available() is false, so another transport is used
        }
    }
}
