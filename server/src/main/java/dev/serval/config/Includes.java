package dev.serval.config;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Adds to the tree of a file what the files have that it includes: listeners, data sources, logs,
/// mounts and hosts, as if they followed in the file itself. Used by one thread.
public final class Includes {
    private static final String SERVER = "server";
    private static final String INCLUDE = "include";
    private static final String STAR = "*";

    /// A file and those that it includes. Immutable.
    ///
    /// @param tree without the key `server.include`
    /// @param including whether the file has that key
    public record Whole(Node.Table tree, boolean including) {}

    private final Path main;
    private final Map<String, String> environment;
    private final Mistakes mistakes;
    private final Map<String, Node> entries;
    private boolean right = true;

    private Includes(
            Path main, Node.Table tree, Map<String, String> environment, Mistakes mistakes) {
        this.main = main;
        this.environment = environment;
        this.mistakes = mistakes;
        this.entries = new LinkedHashMap<>(tree.entries());
    }

    /// Returns the tree of a file with those of the files that it includes.
    ///
    /// @param file relative paths are relative to its folder
    /// @param environment the variables that the files may use
    /// @return null after a mistake that leaves out a part of the configuration
    public static @Nullable Whole read(
            Path file, Node.Table tree, Map<String, String> environment, Mistakes mistakes) {
        if (!(tree.entries().get(SERVER) instanceof Node.Table server)) {
            return new Whole(tree, false);
        }
        @Nullable Node named = server.entries().get(INCLUDE);
        if (named == null) {
            return new Whole(tree, false);
        }
        List<Node> nodes = named instanceof Node.Items items ? items.nodes() : List.of(named);
        if (!nodes.stream().allMatch(Includes::isText)) {
            return new Whole(tree, true); // whoever checks the values reports it
        }
        Includes includes = new Includes(file, tree, environment, mistakes);
        includes.entries.put(SERVER, without(server));
        Set<Path> files = new LinkedHashSet<>();
        nodes.forEach(node -> includes.find((Node.Scalar) node, files));
        files.forEach(includes::add);
        return includes.right
                ? new Whole(new Node.Table(tree.where(), includes.entries, tree.written()), true)
                : null;
    }

    private static boolean isText(Node node) {
        return node instanceof Node.Scalar scalar && scalar.value() instanceof String;
    }

    private static Node.Table without(Node.Table server) {
        Map<String, Node> others = new LinkedHashMap<>(server.entries());
        others.remove(INCLUDE);
        return new Node.Table(server.where(), others, server.written());
    }

    private void wrong(String where, String what) {
        mistakes.add(where, what);
        right = false;
    }

    /// Finds the files that a text names: one file, or those of a folder by a pattern with `*`.
    private void find(Node.Scalar node, Set<Path> files) {
        String text = (String) node.value();
        try {
            Path path = main.resolveSibling(text).normalize();
            @Nullable Path folder = path.getParent();
            @Nullable Path name = path.getFileName();
            if (name == null || (folder != null && folder.toString().contains(STAR))) {
                wrong(
                        node.where(),
                        "include takes files such as \"sites/*.toml\", with * only in the name of the"
                                + " file, not \""
                                + text
                                + "\".");
            } else if (name.toString().contains(STAR)) {
                search(folder == null ? Path.of("") : folder, name.toString(), files, node.where());
            } else if (Files.isRegularFile(path.toAbsolutePath())) {
                files.add(path);
            } else {
                wrong(node.where(), "There is no file " + path + " to include.");
            }
        } catch (InvalidPathException e) {
            wrong(node.where(), "include takes files, not \"" + text + "\".");
        }
    }

    /// Adds files in the order of their names. Hidden files, such as those that an editor leaves, and
    /// the file itself are left out.
    private void search(Path folder, String pattern, Set<Path> files, String where) {
        Pattern names =
                Pattern.compile(
                        Stream.of(pattern.split("\\*", -1))
                                .map(Pattern::quote)
                                .collect(Collectors.joining(".*")),
                        Pattern.DOTALL);
        Path absolute = folder.toAbsolutePath();
        if (!Files.isDirectory(absolute)) {
            String there =
                    Files.exists(absolute)
                            ? folder + " is no folder"
                            : "There is no folder " + folder;
            wrong(where, there + " with files to include: create it, or remove this from include.");
            return;
        }
        if (!Files.isReadable(absolute)) {
            wrong(where, "This user may not read the folder " + folder + " with files to include.");
            return;
        }
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(absolute)) {
            for (Path each : all) {
                String name = String.valueOf(each.getFileName());
                if (!name.startsWith(".")
                        && names.matcher(name).matches()
                        && Files.isRegularFile(each)
                        && !isMain(each)) {
                    found.add(folder.resolve(name));
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            wrong(where, "The folder " + folder + " with files to include cannot be read: " + e);
        }
        found.sort(null);
        files.addAll(found);
    }

    private boolean isMain(Path file) {
        return file.toAbsolutePath().normalize().equals(main.toAbsolutePath().normalize());
    }

    private void add(Path file) {
        @Nullable String text = TomlFile.text(file, mistakes);
        if (text == null) {
            right = false;
            return;
        }
        String name = file.toString();
        if (text.isBlank()) {
            wrong(
                    name,
                    "The file is empty, as after a save that has failed: save it again, or remove it.");
            return;
        }
        Node.@Nullable Table tree = TomlFile.read(name, text, environment, mistakes);
        if (tree == null) {
            right = false;
            return;
        }
        tree.entries().forEach(this::append);
    }

    private void append(String key, Node node) {
        @Nullable Section section = Keys.ROOT.section(key);
        if (section == null || !section.many() || !(node instanceof Node.Items more)) {
            wrong(
                    node.where(),
                    "An included file has only "
                            + Keys.ROOT.sections().stream()
                                    .filter(Section::many)
                                    .map(each -> each.header(each.name()))
                                    .collect(Collectors.joining(", "))
                            + ": write "
                            + key
                            + (section != null && section.many()
                                    ? " as " + section.header(key)
                                    : " in " + main)
                            + ".");
            return;
        }
        @Nullable Node present = entries.get(key);
        List<Node> all = new ArrayList<>();
        if (present instanceof Node.Items items) {
            all.addAll(items.nodes());
        } else if (present != null) {
            all.add(present);
        }
        all.addAll(more.nodes());
        entries.put(key, new Node.Items(present == null ? more.where() : present.where(), all));
    }
}
