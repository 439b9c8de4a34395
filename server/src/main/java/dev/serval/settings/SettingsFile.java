package dev.serval.settings;

import dev.serval.config.Keys;
import dev.serval.config.Mistakes;
import dev.serval.config.Node;
import dev.serval.config.SchemaReader;
import dev.serval.config.TomlFile;
import dev.serval.config.Values;
import dev.serval.policy.Limits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A configuration file, checked and turned into options. Immutable.
///
/// @param values what the file says
/// @param options what that means
public record SettingsFile(Values values, RunOptions options) {
    /// The file that `serval run` takes if there is no other argument.
    public static final String USUAL_NAME = "serval.toml";

    /// Reads a file. All problems are added at once, each with its line and column.
    ///
    /// @param environment the variables that the file may use
    /// @return null after a problem that leaves nothing to look at
    public static @Nullable SettingsFile read(
            Path file, Map<String, String> environment, Problems problems) {
        Mistakes mistakes = new Mistakes();
        @Nullable String text = TomlFile.text(file, mistakes);
        if (text == null) {
            mistakes.lines().forEach(problems::environment);
            return null;
        }
        Node.@Nullable Table tree = TomlFile.read(file.toString(), text, environment, mistakes);
        if (tree == null) {
            mistakes.lines().forEach(problems::usage);
            return null;
        }
        return of(tree, file, text, mistakes, problems);
    }

    /// Reads a tree, such as one that an administrator has changed.
    ///
    /// @param file where it belongs: relative paths are relative to its folder
    /// @param text what the file has
    /// @param mistakes those that were found before
    public static SettingsFile of(
            Node.Table tree, Path file, String text, Mistakes mistakes, Problems problems) {
        Values values = SchemaReader.read(tree, Keys.ROOT, mistakes);
        mistakes.lines().forEach(problems::usage);
        @Nullable Path parent = file.toAbsolutePath().normalize().getParent();
        Path folder = parent == null ? Path.of("/") : parent;
        @Nullable Path named = state(values, folder);
        Path state = named == null ? UserFolders.state() : named;
        RunOptions options =
                new RunOptions(
                        new MountReader(folder, problems).read(values),
                        engine(values, problems),
                        new AppReader(folder, state, problems).read(values),
                        lrwp(values.table("lrwp"), problems),
                        false,
                        AdminReader.read(values, folder, problems),
                        new Origin(file.toAbsolutePath().normalize(), named, text, tree, values));
        return new SettingsFile(values, options);
    }

    private static @Nullable Path state(Values values, Path folder) {
        @Nullable String named = values.table("server").textOrNull("state");
        return named == null ? null : folder.resolve(named).normalize();
    }

    private static EngineChoice engine(Values root, Problems problems) {
        Values server = root.table("server");
        Limits limits = LimitsReader.read(root.table("limits"), Limits.DEFAULT);
        List<ListenerChoice> listeners = new ArrayList<>();
        for (Values each : root.tables("listener")) {
            @Nullable ListenerChoice listener = listener(each, limits, problems);
            if (listener == null) {
                continue;
            }
            boolean twice =
                    listeners.stream().anyMatch(one -> one.address().equals(listener.address()));
            if (twice) {
                problems.at(each.where("address"))
                        .usage("Another listener has this address: once is enough.");
            }
            listeners.add(listener);
        }
        return new EngineChoice(
                listeners.isEmpty() ? EngineChoice.STANDARD.listeners() : listeners,
                server.text("transport"),
                server.has("loops") ? (int) server.number("loops") : 0,
                limits,
                server.time("stop-time"));
    }

    private static @Nullable ListenerChoice listener(
            Values values, Limits limits, Problems problems) {
        if (!values.has("address")) {
            return null; // reported already
        }
        var address =
                ListenAddress.ofFile(values.text("address"), problems.at(values.where("address")));
        if (address == null) {
            return null;
        }
        boolean own = !values.tables("limits").isEmpty();
        return new ListenerChoice(
                address,
                own ? LimitsReader.read(values.table("limits"), limits) : null,
                (int) values.number("backlog"));
    }

    private static LrwpChoice lrwp(Values lrwp, Problems problems) {
        List<String> listen = lrwp.texts("listen");
        if (listen.isEmpty()) {
            if (lrwp.has("allow") || lrwp.has("from")) {
                problems.at(lrwp.where())
                        .usage("[lrwp] has no effect without listen: add listen = \"1081\".");
            }
            return LrwpChoice.NONE;
        }
        return LrwpReader.read(
                new LrwpReader.Names("listen", "allow", "from"),
                listen,
                lrwp.texts("allow"),
                lrwp.texts("from"),
                problems.at(lrwp.where()));
    }
}
