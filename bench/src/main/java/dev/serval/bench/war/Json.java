package dev.serval.bench.war;

import tools.jackson.databind.json.JsonMapper;

/// Writes objects as JSON by Jackson, whose jars the application brings. Apart from the servlets, so
/// that a container can look at these without the jars.
final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private Json() {}

    /// Returns the object as UTF-8.
    static byte[] bytes(Object object) {
        return MAPPER.writeValueAsBytes(object);
    }
}
