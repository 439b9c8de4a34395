package dev.serval.servlet.descriptor;

import org.jspecify.annotations.Nullable;

/// The page that answers an error (Servlet 6.1 §10.9). Immutable. Without code and exception type
/// it answers all errors that no other page answers.
///
/// @param code the status; 0 if the page is not for a status
/// @param exceptionType a class name; null if the page is not for exceptions
/// @param location the page's path from the context root, with its leading slash
/// @param origin where it was declared
public record ErrorPage(int code, @Nullable String exceptionType, String location, Origin origin) {}
