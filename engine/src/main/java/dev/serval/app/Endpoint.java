package dev.serval.app;

import dev.serval.handler.Mapping;

/// What one method of one route leads to. Immutable.
///
/// @param pattern its path
/// @param handler answers
/// @param onLoop whether the handler never blocks
/// @param mapping what is learned of it
record Endpoint(PathPattern pattern, AppHandler handler, boolean onLoop, Mapping mapping) {
    static Endpoint of(String name, PathPattern pattern, AppHandler handler) {
        boolean onLoop = handler instanceof AppHandler.OnLoop;
        return new Endpoint(pattern, handler, onLoop, new Mapping(name));
    }
}
