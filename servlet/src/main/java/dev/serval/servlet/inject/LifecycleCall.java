package dev.serval.servlet.inject;

import dev.serval.servlet.descriptor.Origin;

/// A `post-construct` or `pre-destroy` as declared. Immutable.
///
/// @param className the class that declares the method
/// @param method the name of the method
/// @param origin where it was declared
public record LifecycleCall(String className, String method, Origin origin) {}
