package dev.serval.app;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Finds the value that is registered for a path. It is a tree with one level for each segment.
///
/// If several patterns match, the first segment in which they differ decides: a literal wins over a
/// parameter, and a parameter over a rest. A search visits each node at most once and goes no
/// deeper than the longest pattern. So its time is linear in the length of the path. The tree is
/// filled before it is used; afterwards all loops share it.
///
/// @param <T> the type of the registered values
final class PathTree<T> {
    private final Node<T> root = new Node<>();

    /// Returns the value at the end of `segments`, and creates it by `maker` the first time.
    T at(List<PathPattern.Segment> segments, Supplier<T> maker) {
        Node<T> node = root;
        for (PathPattern.Segment segment : segments) {
            switch (segment) {
                case PathPattern.Segment.Literal literal -> node = node.literal(literal.text());
                case PathPattern.Segment.Parameter _ -> node = node.parameter();
                case PathPattern.Segment.Rest _ -> {
                    return node.rest(maker);
                }
            }
        }
        return node.end(maker);
    }

    /// Returns the value for the normalised path `bytes[from, to)`, which begins with a slash; null
    /// if there is none.
    @Nullable T find(byte[] bytes, int from, int to) {
        return find(root, bytes, from, to);
    }

    private static <T> @Nullable T find(Node<T> node, byte[] bytes, int from, int to) {
        if (from == to) {
            return node.end;
        }
        int start = from + 1; // after the slash
        int hash = 0;
        int end = start;
        while (end < to && bytes[end] != '/') {
            hash = 31 * hash + bytes[end++];
        }
        @Nullable Node<T> literal = node.child(bytes, start, end, hash);
        @Nullable T found = literal == null ? null : find(literal, bytes, end, to);
        if (found == null && node.parameter != null && end > start) {
            found = find(node.parameter, bytes, end, to);
        }
        return found == null ? node.rest : found;
    }

    /// A node for one segment.
    private static final class Node<T> {
        private final Map<String, Node<T>> literals = new HashMap<>();
        private byte[][] names = {};
        private @Nullable Node<T>[] children = table(0);
        private @Nullable Node<T> parameter;
        private @Nullable T end;
        private @Nullable T rest;

        Node<T> literal(String text) {
            @Nullable Node<T> known = literals.get(text);
            if (known == null) {
                known = new Node<>();
                literals.put(text, known);
                index();
            }
            return known;
        }

        Node<T> parameter() {
            if (parameter == null) {
                parameter = new Node<>();
            }
            return parameter;
        }

        T end(Supplier<T> maker) {
            if (end == null) {
                end = maker.get();
            }
            return end;
        }

        T rest(Supplier<T> maker) {
            if (rest == null) {
                rest = maker.get();
            }
            return rest;
        }

        /// Returns the node of the literal `bytes[from, to)`, or null.
        @Nullable Node<T> child(byte[] bytes, int from, int to, int hash) {
            int mask = names.length - 1;
            if (mask < 0) {
                return null;
            }
            for (int slot = spread(hash) & mask; ; slot = (slot + 1) & mask) {
                @Nullable Node<T> child = children[slot];
                if (child == null) {
                    return null;
                }
                byte[] name = names[slot];
                if (Arrays.equals(bytes, from, to, name, 0, name.length)) {
                    return child;
                }
            }
        }

        /// Builds a table with open addressing, at most half full, so that each search ends at a
        /// free slot.
        private void index() {
            int size = Math.max(2, Integer.highestOneBit(2 * literals.size() - 1) * 2);
            names = new byte[size][];
            children = table(size);
            Arrays.fill(names, new byte[0]);
            for (Map.Entry<String, Node<T>> entry : literals.entrySet()) {
                byte[] name = entry.getKey().getBytes(StandardCharsets.UTF_8);
                int hash = 0;
                for (byte b : name) {
                    hash = 31 * hash + b;
                }
                int slot = spread(hash) & (size - 1);
                while (children[slot] != null) {
                    slot = (slot + 1) & (size - 1);
                }
                names[slot] = name;
                children[slot] = entry.getValue();
            }
        }

        private static int spread(int hash) {
            return hash ^ hash >>> 16;
        }

        @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type has no other way
        private static <T> @Nullable Node<T>[] table(int size) {
            return (Node<T>[]) new Node[size];
        }
    }
}
