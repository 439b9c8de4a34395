package dev.serval.servlet.context;

/// The services that a context delegates to. Immutable.
///
/// @param resources the application's files
/// @param dispatchers the application's dispatchers
/// @param contexts the other applications
/// @param mediaTypes the server's media types
public record Surroundings(
        AppResources resources,
        Dispatchers dispatchers,
        Contexts contexts,
        MediaTypeTable mediaTypes) {}
