package dev.serval.servlet.descriptor;

/// A listener as declared. Immutable.
///
/// @param component its code
/// @param origin where it was declared
public record ListenerDescription(Component component, Origin origin) {}
