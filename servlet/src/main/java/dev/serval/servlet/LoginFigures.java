package dev.serval.servlet;

/// How often users have logged in since the container was opened, or have tried to. Immutable.
///
/// @param accepted the credentials that were checked and right
/// @param remembered the requests whose credentials were known as right from an earlier check
/// @param rejected the credentials that were wrong
/// @param slowed the checks that waited because of earlier failures
/// @param refused the checks that did not take place because too many waited
/// @param replayed the answers of DIGEST that were sent before
public record LoginFigures(
        long accepted, long remembered, long rejected, long slowed, long refused, long replayed) {}
