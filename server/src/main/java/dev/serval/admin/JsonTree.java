package dev.serval.admin;

import dev.serval.config.Key;
import dev.serval.config.Mistakes;
import dev.serval.config.Node;
import dev.serval.config.Secrecy;
import dev.serval.config.Section;
import dev.serval.config.TableDraft;
import dev.serval.config.TomlFile;
import java.util.ArrayList;
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
    private static final String NAME = "name";
    private static final String AT = "at";
    private static final Node ROOT = new Node.Scalar("", "/", "/"); // where a mount is by default

    private JsonTree() {}

    /// Returns a tree as JSON, with its variables and without its secrets.
    static ObjectNode json(Node.Table tree, Section section) {
        ObjectNode object = MAKE.objectNode();
        tree.entries()
                .forEach((name, node) -> {
                    @Nullable Key key = section.key(name);
                    @Nullable Section inner = section.section(name);
                    object.set(
                            tree.written(name),
                            inner == null
                                    ? plain(
                                            node,
                                            name,
                                            key == null ? Secrecy.NONE : key.traits().secrecy())
                                    : tables(node, inner));
                });
        return object;
    }

    private static JsonNode tables(Node node, Section section) {
        if (node instanceof Node.Table table) {
            return json(table, section);
        }
        if (node instanceof Node.Items items) {
            ArrayNode array = MAKE.arrayNode();
            items.nodes().forEach(item -> array.add(tables(item, section)));
            return array;
        }
        return plain(node, "", Secrecy.WHOLE); // no table, so it is no configuration
    }

    /// Returns the value of a key.
    ///
    /// @param name of the key, or of the entry of its value
    private static JsonNode plain(Node node, String name, Secrecy secrecy) {
        if (secrecy == Secrecy.WHOLE) {
            return MAKE.stringNode(Secrecy.SHOWN);
        }
        if (node instanceof Node.Table table) {
            ObjectNode object = MAKE.objectNode();
            table.entries()
                    .forEach((key, each) ->
                            object.set(table.written(key), plain(each, key, secrecy)));
            return object;
        }
        if (node instanceof Node.Items items) {
            ArrayNode array = MAKE.arrayNode();
            items.nodes().forEach(item -> array.add(plain(item, name, secrecy)));
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
                : MAKE.stringNode(secrecy.masked(name, String.valueOf(value)));
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
            TableDraft draft = new TableDraft(where, environment, mistakes);
            for (Map.Entry<String, JsonNode> each : object.properties()) {
                String name = each.getKey();
                String at = where + "/" + name.replace("~", "~0").replace("/", "~1");
                @Nullable Node present =
                        former instanceof Node.Table table
                                ? table.entries().get(draft.replaced(name, at))
                                : null;
                draft.add(name, at, node(each.getValue(), present, at, environment, mistakes));
            }
            return draft.table();
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

    /// Returns the former item that an item stands for: the one with the same name, or the mount at the
    /// same path. So a secret never goes to another item, wherever items are added and removed.
    private static @Nullable Node former(JsonNode item, @Nullable Node former) {
        if (!(former instanceof Node.Items items && item instanceof ObjectNode object)) {
            return null;
        }
        JsonNode name = name(object);
        List<Node> same = new ArrayList<>();
        for (Node each : items.nodes()) {
            if (each instanceof Node.Table table && name(table).equals(name)) {
                same.add(each);
            }
        }
        return same.size() == 1 ? same.getFirst() : null;
    }

    private static JsonNode name(Node.Table item) {
        @Nullable Node name = item.entries().get(NAME);
        @Nullable Node at = item.entries().get(AT);
        Node chosen = name != null ? name : at != null ? at : ROOT;
        return plain(chosen, "", Secrecy.NONE);
    }

    private static JsonNode name(ObjectNode item) {
        @Nullable JsonNode name = item.get(NAME);
        @Nullable JsonNode at = item.get(AT);
        return name != null ? name : at != null ? at : plain(ROOT, "", Secrecy.NONE);
    }

    /// Returns whether a text is what a value with a secret is shown as.
    private static boolean stands(String text, Node.Scalar secret) {
        return text.equals(Secrecy.SHOWN)
                || (secret.written() instanceof String written
                        && text.equals(Secrecy.URL.masked("", written)));
    }

    private static Node scalar(
            JsonNode json,
            @Nullable Node former,
            String where,
            Map<String, String> environment,
            Mistakes mistakes) {
        if (json.isString()) {
            String text = json.stringValue();
            if (!Secrecy.isMasked(text)) {
                return TomlFile.scalar(text, where, environment, mistakes);
            }
            if (former instanceof Node.Scalar secret && stands(text, secret)) {
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
