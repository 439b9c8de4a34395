package dev.serval.admin;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The path of a resource within a configuration, such as `mount/0/folder`. `-` after an array stands
/// for the place after its last item, `~1` for a slash within a key and `~0` for a tilde (RFC 6901 §3,
/// §4). Immutable.
///
/// @param steps names of keys and indexes
record JsonPath(List<String> steps) {
    JsonPath {
        steps = List.copyOf(steps);
    }

    /// Returns the path of the decoded end of a URL.
    static JsonPath of(String text) {
        List<String> steps = new ArrayList<>();
        for (String step : text.split("/", -1)) {
            if (!step.isEmpty()) {
                steps.add(step.replace("~1", "/").replace("~0", "~"));
            }
        }
        return new JsonPath(steps);
    }

    /// Returns what is there; null if there is nothing.
    @Nullable JsonNode find(JsonNode root) {
        @Nullable JsonNode at = root;
        for (String step : steps) {
            at = at == null ? null : inner(at, step);
        }
        return at;
    }

    /// Puts a value there, in place of another one. Tables on the way are created.
    ///
    /// @return false if an array on the way has no such item, or a value is no table
    boolean put(ObjectNode root, JsonNode value) {
        @Nullable JsonNode parent = parent(root, true);
        String last = steps.getLast();
        if (parent instanceof ObjectNode object) {
            object.set(last, value);
            return true;
        }
        if (!(parent instanceof ArrayNode array)) {
            return false;
        }
        int index = last.equals("-") ? array.size() : index(last);
        if (index < 0 || index > array.size()) {
            return false;
        }
        if (index == array.size()) {
            array.add(value);
        } else {
            array.set(index, value);
        }
        return true;
    }

    /// Removes what is there.
    ///
    /// @return whether there was something
    boolean remove(ObjectNode root) {
        @Nullable JsonNode parent = parent(root, false);
        String last = steps.getLast();
        if (parent instanceof ObjectNode object) {
            return object.remove(last) != null;
        }
        int index = index(last);
        if (parent instanceof ArrayNode array && index >= 0 && index < array.size()) {
            array.remove(index);
            return true;
        }
        return false;
    }

    private @Nullable JsonNode parent(ObjectNode root, boolean create) {
        @Nullable JsonNode at = root;
        for (String step : steps.subList(0, steps.size() - 1)) {
            @Nullable JsonNode next = at == null ? null : inner(at, step);
            if (next == null && create && at instanceof ObjectNode object) {
                next = object.putObject(step);
            }
            at = next;
        }
        return at;
    }

    private static @Nullable JsonNode inner(JsonNode node, String step) {
        return node instanceof ArrayNode array ? array.get(index(step)) : node.get(step);
    }

    /// Returns -1 for a text that is no index.
    private static int index(String text) {
        return text.matches("0|[1-9]\\d{0,8}") ? Integer.parseInt(text) : -1;
    }
}
