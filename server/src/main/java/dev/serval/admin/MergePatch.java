package dev.serval.admin;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Applies a JSON Merge Patch (RFC 7396). Stateless.
final class MergePatch {
    private MergePatch() {}

    /// Returns the patched value.
    static JsonNode applied(@Nullable JsonNode target, JsonNode patch) {
        if (!(patch instanceof ObjectNode changes)) {
            return patch;
        }
        ObjectNode result =
                target instanceof ObjectNode object
                        ? object
                        : JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> each : changes.properties()) {
            if (each.getValue().isNull()) {
                result.remove(each.getKey());
            } else {
                result.set(each.getKey(), applied(result.get(each.getKey()), each.getValue()));
            }
        }
        return result;
    }
}
