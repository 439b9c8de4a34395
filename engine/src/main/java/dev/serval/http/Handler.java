package dev.serval.http;

/// Answers exchanges. One Handler serves all loops at once, so it keeps no state of a request.
@FunctionalInterface
public interface Handler {
    /// Called on the loop, so it never blocks: it answers, passes on, or asks for a place. What it
    /// throws is logged with its trace and answered 500.
    void handle(Exchange x);
}
