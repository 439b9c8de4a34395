package dev.serval.net;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Where a direct buffer lies, for system calls. The public way, a MemorySegment of the buffer, makes
/// an object or two for each call unless the compiler sees through them. Works where
/// `java.base/sun.nio.ch` is opened to us. Stateless.
final class BufferAddress {
    private static final @Nullable MethodHandle START = start();

    private BufferAddress() {}

    /// Whether addresses can be had.
    static boolean available() {
        return START != null;
    }

    /// The address of the buffer's position.
    static long of(ByteBuffer direct) {
        MethodHandle start = START;
        if (start == null) {
            throw new IllegalStateException("java.base/sun.nio.ch is not opened");
        }
        try {
            return (long) start.invokeExact(direct) + direct.position();
        } catch (Throwable e) {
            throw new IllegalArgumentException("Not a direct buffer", e);
        }
    }

    private static @Nullable MethodHandle start() {
        try {
            Class<?> owner = Class.forName("sun.nio.ch.DirectBuffer");
            return MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
                    .findVirtual(owner, "address", MethodType.methodType(long.class))
                    .asType(MethodType.methodType(long.class, ByteBuffer.class));
        } catch (ReflectiveOperationException e) {
            return null; // not opened: available() says so, and another transport is used
        }
    }
}
