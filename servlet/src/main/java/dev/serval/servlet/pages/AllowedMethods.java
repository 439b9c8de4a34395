package dev.serval.servlet.pages;

/// A servlet that answers all methods in one place and knows which it allows. Any thread.
@FunctionalInterface
public interface AllowedMethods {
    /// Returns the value of an Allow field (RFC 9110 §10.2.1).
    String allowed();
}
