package dev.serval.admin;

import dev.serval.config.Key;
import dev.serval.config.Mistakes;
import dev.serval.config.Node;
import dev.serval.config.Section;
import dev.serval.config.TomlFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Converts configurations between trees and JSON. A secret is shown as `***`, and that text in its
/// place means the secret that is there. Stateless.
final class JsonTree {
    private static final JsonNodeFactory MAKE = JsonNodeFactory.instance;
    private static final String SECRET = "***";
    private static final String NAME = "name";

    private JsonTree() {}

    /// Returns a tree as JSON, with its variables and without its secrets.
    static ObjectNode json(Node.Table tree, Section section) {
        ObjectNode object = MAKE.objectNode();
        tree.entries().forEach((name, node) -> object.set(name, json(name, node, section)));
        return object;
    }

    private static JsonNode json(String name, Node node, Section section) {
        @Nullable Key key = section.key(name);
        @Nullable Section inner = section.section(name);
        return key != null && key.traits().secret()
                ? MAKE.stringNode(SECRET)
                : any(node, inner == null ? section : inner);
    }

    private static JsonNode any(Node node, Section section) {
        if (node instanceof Node.Table table) {
            return json(table, section);
        }
        if (node instanceof Node.Items items) {
            ArrayNode array = MAKE.arrayNode();
            items.nodes().forEach(item -> array.add(any(item, section)));
            return array;
        }
        Object value = ((Node.Scalar) node).written();
        if (value instanceof Boolean flag) {
            return MAKE.booleanNode(flag);
        }
        if (value instanceof Long number) {
            return MAKE.numberNode(number);
        }
        return value instanceof Double number
                ? MAKE.numberNode(number)
                : MAKE.stringNode(String.valueOf(value));
    }

    /// Returns JSON as a tree.
    ///
    /// @param former the tree that has the secrets
    /// @param environment the variables that texts may use
    static Node.Table tree(
            ObjectNode json,
            Node.@Nullable Table former,
            Map<String, String> environment,
            Mistakes mistakes) {
        Node node = node(json, former, "", environment, mistakes);
        return node instanceof Node.Table table ? table : new Node.Table("", Map.of());
    }

    private static Node node(
            JsonNode json,
            @Nullable Node former,
            String where,
            Map<String, String> environment,
            Mistakes mistakes) {
        if (json instanceof ObjectNode object) {
            Map<String, Node> entries = new LinkedHashMap<>();
            for (Map.Entry<String, JsonNode> each : object.properties()) {
                String name = each.getKey();
                entries.put(
                        name,
                        node(
                                each.getValue(),
                                former instanceof Node.Table table
                                        ? table.entries().get(name)
                                        : null,
                                where + "/" + name.replace("~", "~0").replace("/", "~1"),
                                environment,
                                mistakes));
            }
            return new Node.Table(where, entries);
        }
        if (json instanceof ArrayNode array) {
            List<Node> nodes = new ArrayList<>();
            for (int i = 0; i < array.size(); i++) {
                nodes.add(
                        node(
                                array.get(i),
                                former(array.get(i), former),
                                where + "/" + i,
                                environment,
                                mistakes));
            }
            return new Node.Items(where, nodes);
        }
        return scalar(json, former, where, environment, mistakes);
    }

    /// Returns the former item that an item stands for: the one with the same name. So a secret never
    /// goes to another item, wherever items are added and removed.
    private static @Nullable Node former(JsonNode item, @Nullable Node former) {
        @Nullable JsonNode name = item.get(NAME);
        if (name == null || !(former instanceof Node.Items items)) {
            return null;
        }
        for (Node each : items.nodes()) {
            if (each instanceof Node.Table table
                    && table.entries().get(NAME) instanceof Node.Scalar scalar
                    && scalar.written().equals(name.stringValue(""))) {
                return each;
            }
        }
        return null;
    }

    private static Node scalar(
            JsonNode json,
            @Nullable Node former,
            String where,
            Map<String, String> environment,
            Mistakes mistakes) {
        if (json.isString()) {
            String text = json.stringValue();
            if (!text.equals(SECRET)) {
                return TomlFile.scalar(text, where, environment, mistakes);
            }
            if (former instanceof Node.Scalar secret) {
                return new Node.Scalar(where, secret.value(), secret.written());
            }
            mistakes.add(
                    where, "*** stands for a secret that is there, but there is none: write it.");
            return new Node.Scalar(where, "", "");
        }
        if (json.isBoolean()) {
            return new Node.Scalar(where, json.booleanValue(), json.booleanValue());
        }
        if (json.isIntegralNumber() && json.canConvertToLong()) {
            return new Node.Scalar(where, json.longValue(), json.longValue());
        }
        if (json.isNumber()) {
            return new Node.Scalar(where, json.doubleValue(), json.doubleValue());
        }
        mistakes.add(where, "A configuration has no null: leave the key out.");
        return new Node.Scalar(where, "", "");
    }
}
