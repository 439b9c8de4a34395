package dev.serval.lrwp.peer;

/// A body is larger than the peer holds in memory. If a handler lets it pass, the client gets 413.
public final class BodyTooLargeException extends Exception {
    private static final long serialVersionUID = 1L;

    BodyTooLargeException(int bytes) {
        super(
                "The body has "
                        + bytes
                        + " bytes, more than bodyMemoryMaxBytes: read it as a stream, or raise the"
                        + " limit");
    }
}
