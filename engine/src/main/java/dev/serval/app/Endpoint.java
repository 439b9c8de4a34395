package dev.serval.app;

import dev.serval.handler.Mapping;

/// The handler of one method of one route. Immutable.
///
/// @param pattern the path of the route
/// @param handler answers the requests
/// @param onLoop whether the handler never blocks
/// @param mapping collects what the engine learns about the handler
record Endpoint(PathPattern pattern, AppHandler handler, boolean onLoop, Mapping mapping) {
    static Endpoint of(String name, PathPattern pattern, AppHandler handler) {
        boolean onLoop = handler instanceof AppHandler.OnLoop;
        return new Endpoint(pattern, handler, onLoop, new Mapping(name));
    }
}
