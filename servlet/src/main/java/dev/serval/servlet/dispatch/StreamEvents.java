package dev.serval.servlet.dispatch;

import jakarta.servlet.ReadListener;
import jakarta.servlet.WriteListener;
import org.jspecify.annotations.Nullable;

/// The listeners of a request's streams, and what they are to learn. Guarded by the lock of its
/// [AsyncCycle].
final class StreamEvents {
    @Nullable ReadListener reader;
    @Nullable WriteListener writer;
    boolean readable; // an event for the ReadListener
    boolean writable; // an event for the WriteListener
    volatile boolean readArmed; // the loop reports when content can be read
    boolean writeArmed; // the loop reports when there is room
    boolean readEndTold; // the ReadListener knows of the end

    StreamEvents() {}
}
