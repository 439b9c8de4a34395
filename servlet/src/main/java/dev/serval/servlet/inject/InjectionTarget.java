package dev.serval.servlet.inject;

/// A field or setter that `web.xml` names as the receiver of a value. Immutable.
///
/// @param className the class that declares the member
/// @param member the property of a setter, or the name of a field
public record InjectionTarget(String className, String member) {}
