package dev.serval.bench.peer;

import dev.serval.bench.peer.PeerFile.Start;
import dev.serval.bench.peer.PeerFile.Value;
import dev.serval.testkit.TestKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A server that a file describes, in one of its roles.
///
/// @param jars has a folder for each peer that comes from Maven
/// @param jvmOptions for a server in Java, beside those that its file names
public record FilePeer(PeerFile file, Role role, Path jars, List<String> jvmOptions, String name)
        implements Peer {
    /// Rejects a role that the server cannot take.
    public FilePeer {
        BenchFailure.require(
                file.starts().containsKey(role),
                "peer " + name + " cannot take part: its file has no table " + role.key());
        jvmOptions = List.copyOf(jvmOptions);
    }

    FilePeer(PeerFile file, Role role, Path jars, List<String> jvmOptions) {
        this(file, role, jars, jvmOptions, file.name());
    }

    /// Returns how it is started in its role.
    private Start how() {
        return Objects.requireNonNull(file.starts().get(role));
    }

    /// Returns this peer with more JVM options.
    public FilePeer with(List<String> moreJvmOptions) {
        List<String> more = new ArrayList<>(jvmOptions);
        more.addAll(moreJvmOptions);
        return new FilePeer(file, role, jars, more, name);
    }

    /// Returns this peer under another name, and so with another folder.
    public FilePeer named(String other) {
        return new FilePeer(file, role, jars, jvmOptions, other);
    }

    /// Returns this peer with each of its settings for slow requests.
    public List<FilePeer> forSlowRequests() {
        return how().slow().stream()
                .map(slow ->
                        new FilePeer(
                                file.with(PeerFile.SETTING, slow),
                                role,
                                jars,
                                jvmOptions,
                                name + "-" + slow))
                .toList();
    }

    /// Returns this peer with a store of sessions. Its file has a configuration `sessions-STORE.xml`,
    /// or another ending, for each store that it can have.
    ///
    /// @param store `memory`, `files` or `database`
    /// @param database the JDBC address of the database; empty without one
    /// @return empty if the file has no configuration for this store
    public Optional<FilePeer> keeping(String store, String database) {
        String setting = "sessions-" + store;
        if (how().configuration().keySet().stream().noneMatch(f -> f.startsWith(setting + "."))) {
            return Optional.empty();
        }
        PeerFile kept = file.with(PeerFile.SETTING, setting).with("database", database);
        return Optional.of(new FilePeer(kept, role, jars, jvmOptions, name));
    }

    /// Returns whether this server unpacks and scans a WAR by itself, as its users do it.
    public boolean readsWars() {
        return how().wars();
    }

    /// Returns whether this server can write an access log.
    public boolean logs() {
        return file.logs();
    }

    @Override
    public Optional<String> missing() {
        return file.software().missing(jars);
    }

    @Override
    public String version() {
        return file.software().version(jars);
    }

    @Override
    public boolean java() {
        return file.java();
    }

    @Override
    public String configuration() {
        StringBuilder text = new StringBuilder(file.why().strip()).append('\n');
        file.cannot().forEach(sentence -> text.append("- ").append(sentence).append('\n'));
        if (!file.logs()) {
            text.append("- It writes no access log.\n");
        }
        text.append("\ncommand: ").append(shown(String.join(" ", words()))).append('\n');
        file.values()
                .forEach((key, value) -> {
                    if (value instanceof Value.Choice choice) {
                        text.append("${%s}: %s\n".formatted(key, choice.otherwise()));
                        choice.texts()
                                .forEach((condition, one) -> {
                                    text.append(PeerFile.CONDITIONS.get(condition));
                                    text.append(": ").append(one).append('\n');
                                });
                    }
                });
        how().configuration()
                .forEach((one, content) -> {
                    text.append("\n")
                            .append(one)
                            .append(":\n")
                            .append(shown(content).strip())
                            .append('\n');
                });
        return text.toString();
    }

    /// Returns a text of the file for readers: with the values that are always the same.
    private String shown(String text) {
        return PeerReader.replaced(
                text,
                key -> {
                    @Nullable Value value = file.values().get(key);
                    return value instanceof Value.Always(String always) ? always : "${" + key + "}";
                });
    }

    /// Returns the words of the command with the environment and the options of the JVM.
    private List<String> words() {
        List<String> words = new ArrayList<>();
        if (!file.environment().isEmpty()) {
            words.add("env");
            file.environment().forEach((key, value) -> words.add(key + "=" + value));
        }
        for (String word : how().command()) {
            words.add(word);
            if (word.equals("${java}")) {
                words.addAll(jvmOptions);
                words.addAll(file.jvm());
            }
        }
        return words;
    }

    @Override
    public RunningPeer start(Stage stage) throws IOException {
        return start(stage, stage.freePort(), Map.of());
    }

    /// Starts this peer with the values of its role's placeholders.
    RunningPeer start(Stage stage, int port, Map<String, String> more) throws IOException {
        List<String> command = command(stage, port, more);
        Cpus cpus = stage.cpus();
        return stage.launch(
                name, port, how().everyCpu() ? cpus.anywhere(command) : cpus.onServer(command));
    }

    /// Writes the configuration into the peer's folder and returns the command, which is not pinned.
    List<String> command(Stage stage, int port, Map<String, String> more) throws IOException {
        Cpus cpus = stage.cpus();
        Map<String, String> values = new HashMap<>(more);
        values.put("port", String.valueOf(port));
        values.put("root", stage.site().root().toString());
        values.put(
                "cpus",
                String.valueOf(how().everyCpu() ? cpus.all().size() : cpus.server().size()));
        BenchFailure.require(
                file.speaks(stage.protocol()), name + " does not speak " + stage.protocol().key());
        values.put("protocol", stage.protocol().key());
        Set<String> holding = new HashSet<>(Set.of(stage.protocol().key()));
        if (stage.protocol().tls()) {
            TestKeys keys = TestKeys.local();
            values.put("certificate", keys.certificate().toString());
            values.put("key", keys.key().toString());
            values.put("keystore", keys.store().toString());
            holding.add("tls");
        }
        if (stage.log()) {
            holding.add("log");
        }
        return command(stage.folderFor(name), values, holding);
    }

    /// Writes the configuration and returns the command that serves an application, without an
    /// access log.
    ///
    /// @param options for the JVM, in place of those that all servers in Java get
    /// @param application an exploded WAR, or a WAR for a peer that reads one
    /// @param folder for the configuration and the server's own files
    public List<String> command(List<String> options, Path application, int port, Path folder)
            throws IOException {
        Map<String, String> values = new HashMap<>();
        values.put("port", String.valueOf(port));
        values.put("root", application.toString());
        values.put("cpus", String.valueOf(Runtime.getRuntime().availableProcessors()));
        return new FilePeer(file, role, jars, options, name)
                .command(Files.createDirectories(folder), values, new HashSet<>());
    }

    /// @param holding the conditions of values that hold, apart from `root`
    private List<String> command(Path folder, Map<String, String> values, Set<String> holding)
            throws IOException {
        if (System.getProperty("user.name").equals("root")) {
            holding.add("root");
        }
        values.put("folder", folder.toString());
        values.put("log", folder.resolve(Stage.ACCESS_LOG).toString());
        values.put("jars", jars.resolve(file.software().jars()).toString());
        values.put("suite", System.getProperty("java.class.path"));
        values.put("program", file.software().path());
        values.put("java", JavaCommand.java());
        // A value has placeholders of the suite only, and the file was checked for unknown ones.
        UnaryOperator<String> given =
                text -> PeerReader.replaced(text, key -> values.getOrDefault(key, ""));
        UnaryOperator<String> replaced =
                text ->
                        PeerReader.replaced(
                                text,
                                key -> {
                                    @Nullable Value own = file.values().get(key);
                                    return own == null
                                            ? values.getOrDefault(key, "")
                                            : given.apply(chosen(own, holding));
                                });
        for (Map.Entry<String, String> one : how().configuration().entrySet()) {
            Files.writeString(folder.resolve(one.getKey()), replaced.apply(one.getValue()));
        }
        return words().stream().map(replaced).filter(word -> !word.isEmpty()).toList();
    }

    private static String chosen(Value value, Set<String> holding) {
        return switch (value) {
            case Value.Always(String text) -> text;
            case Value.Choice choice -> choice.text(holding);
        };
    }
}
