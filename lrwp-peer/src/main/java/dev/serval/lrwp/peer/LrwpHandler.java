package dev.serval.lrwp.peer;

/// Answers requests. Several connections call it at the same time, each on its own virtual thread,
/// so it may block and must be safe for several threads.
@FunctionalInterface
public interface LrwpHandler {
    /// Answers one request.
    ///
    /// @return the answer, which is sent after the whole request has been read
    /// @throws Exception if the request cannot be answered; it is logged, and the client gets 500
    LrwpResponse handle(LrwpRequest request) throws Exception;
}
