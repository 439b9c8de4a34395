package dev.serval.bench.peer;

import dev.serval.bench.peer.PeerFile.Start;
import dev.serval.bench.peer.PeerFile.Value;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads a peer from the text of its TOML file. Refuses unknown and missing keys and unknown
/// placeholders, because a misspelt one would silently change the measurement. Stateless but for the
/// file.
///
/// @param base the peer that this one is like, or null
record PeerReader(Keys keys, String name, @Nullable PeerFile base) {
    private static final List<String> KEYS = Resources.lines(PeerReader.class, "keys.txt");
    private static final List<String> START_KEYS =
            List.of("command", "cpus", "slow", "wars", "configuration");

    /// The placeholders that every role has. Those of one role are in [Role#placeholders].
    private static final Set<String> COMMON =
            Set.of(
                    "root",
                    "folder",
                    "cpus",
                    "log",
                    "jars",
                    "suite",
                    "program",
                    "protocol",
                    "certificate",
                    "key",
                    "keystore");

    /// The placeholders of any role.
    private static final Set<String> ALL =
            Stream.concat(
                            COMMON.stream(),
                            Stream.of(Role.values()).flatMap(role -> role.placeholders().stream()))
                    .collect(Collectors.toUnmodifiableSet());

    /// The word of a command that becomes the JDK's `java` and its options.
    private static final String JAVA = "java";

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]*)}");
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,30}");
    private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]*");
    private static final Pattern COORDINATES = Pattern.compile("[^:\\s]+:[^:\\s]+(:[^:\\s]+)?");

    /// Reads a file.
    ///
    /// @param file as messages name it
    /// @param shipped finds a peer of the suite, for the key `like`
    /// @throws BenchFailure names the mistake and its place
    static PeerFile read(String file, String text, Function<String, Optional<PeerFile>> shipped) {
        Keys keys = Keys.parse(file, text);
        List<String> known = new ArrayList<>(KEYS);
        known.addAll(Role.keys());
        keys.requireKnown(known);
        String name = keys.text("name");
        if (!NAME.matcher(name).matches()) {
            throw keys.wrong("name", "Use a-z, 0-9 and hyphens, at most 31.");
        }
        PeerFile base = null;
        if (keys.has("like")) {
            String like = keys.text("like");
            base =
                    shipped.apply(like)
                            .orElseThrow(() ->
                                    keys.wrong("like", "The suite has no peer " + like + "."));
        }
        return new PeerReader(keys, name, base).read();
    }

    private PeerFile read() {
        Map<String, Value> values = new LinkedHashMap<>(base == null ? Map.of() : base.values());
        keys.table("values").ifPresent(table -> readValues(table, values));
        Map<Role, Start> starts = new EnumMap<>(Role.class);
        if (base != null) {
            base.starts().forEach((role, start) -> starts.put(role, start.withoutSlow()));
        }
        boolean java = base == null ? keys.flag("java") : base.java();
        for (Role role : Role.values()) {
            keys.table(role.key())
                    .ifPresent(table -> starts.put(role, start(role, table, values, java)));
        }
        if (starts.isEmpty()) {
            throw keys.missing(String.join(" or ", Role.keys()));
        }
        List<String> jvm = keys.texts("jvm");
        if (!java && !jvm.isEmpty()) {
            throw keys.wrong("jvm", "Only a server in Java has JVM options: set java = true.");
        }
        return new PeerFile(
                name,
                keys.text("why"),
                java,
                software(),
                own("cannot", keys.texts("cannot"), PeerFile::cannot),
                own("jvm", jvm, PeerFile::jvm),
                own("environment", keys.named("environment"), PeerFile::environment),
                own("protocols", protocols(), PeerFile::protocols),
                values,
                starts);
    }

    /// Returns the value of a key, or that of the peer that this one is like if the file has no such key.
    private <T> T own(String key, T value, Function<PeerFile, T> inherited) {
        return base == null || keys.has(key) ? value : inherited.apply(base);
    }

    private List<Protocol> protocols() {
        List<String> names = keys.texts("protocols");
        if (!Protocol.keys().containsAll(names)) {
            throw keys.wrong("protocols", "There are: " + String.join(", ", Protocol.keys()) + ".");
        }
        return Stream.of(Protocol.values()).filter(one -> names.contains(one.key())).toList();
    }

    private Software software() {
        if (base != null) {
            for (String key :
                    List.of("java", "debian", "maven", "program", "requires", "jars", "version")) {
                if (keys.has(key)) {
                    throw keys.wrong(key, "The peer that this one is like has the key.");
                }
            }
            return base.software().titled(keys.text("title"));
        }
        if (keys.has("debian") && keys.has("maven")) {
            throw keys.wrong("maven", "The file has the key debian: one of the two is enough.");
        }
        String maven = keys.optionalText("maven").orElse(null);
        if (maven != null && !COORDINATES.matcher(maven).matches()) {
            throw keys.wrong("maven", "Use GROUP:ARTIFACT or GROUP:ARTIFACT:VERSION.");
        }
        Keys version = keys.table("version").orElse(null);
        return new Software(
                keys.text("title"),
                keys.optionalText("debian").orElse(null),
                maven,
                keys.optionalText("program").orElse(null),
                keys.texts("requires"),
                keys.optionalText("jars").orElse(name),
                version == null ? List.of() : versionCommand(version),
                version == null ? null : versionPattern(version));
    }

    private static List<String> versionCommand(Keys version) {
        version.requireKnown(List.of("command", "pattern"));
        requirePlaceholders(
                version, "command", version.texts("command"), Set.of("java", "program"));
        return required(version, "command");
    }

    private static Pattern versionPattern(Keys version) {
        try {
            return Pattern.compile(version.text("pattern"));
        } catch (PatternSyntaxException e) {
            throw version.wrong("pattern", "The pattern is wrong: " + e.getDescription() + ".");
        }
    }

    private static void readValues(Keys table, Map<String, Value> values) {
        for (String key : table.names()) {
            boolean taken = ALL.contains(key) || key.equals(JAVA);
            if (taken || !NAME.matcher(key).matches()) {
                throw table.wrong(
                        key, "The name is taken by the suite, or not of a-z and hyphens.");
            }
            Value value = value(table, key);
            requirePlaceholders(table, key, texts(value), ALL);
            values.put(key, value);
        }
    }

    private static Value value(Keys table, String key) {
        if (!table.isTable(key)) {
            return new Value.Always(table.text(key));
        }
        Keys choice = table.table(key).orElseThrow();
        List<String> known = new ArrayList<>(PeerFile.CONDITIONS.keySet());
        known.add("else");
        choice.requireKnown(known);
        Map<String, String> texts = new LinkedHashMap<>();
        for (String condition : PeerFile.CONDITIONS.keySet()) {
            choice.optionalText(condition).ifPresent(text -> texts.put(condition, text));
        }
        if (texts.isEmpty()) {
            throw table.wrong(
                    key,
                    "The table has else and one of "
                            + String.join(", ", PeerFile.CONDITIONS.keySet())
                            + ".");
        }
        return new Value.Choice(texts, choice.text("else"));
    }

    private Start start(Role role, Keys table, Map<String, Value> values, boolean java) {
        table.requireKnown(START_KEYS);
        Keys from = table.has("command") ? table : keys;
        List<String> command = required(from, "command");
        if (command.contains("${java}") != java) {
            throw from.wrong(
                    "command", "A server with java = true has the word ${java}, others do not.");
        }
        Set<String> known = new HashSet<>(COMMON);
        known.addAll(role.placeholders());
        values.forEach((key, value) -> {
            if (known.containsAll(placeholders(texts(value)))) {
                known.add(key);
            }
        });
        Map<String, String> configuration = new LinkedHashMap<>();
        addFiles(keys, known, configuration);
        addFiles(table, known, configuration);
        List<String> plain = command.stream().filter(word -> !word.equals("${java}")).toList();
        requirePlaceholders(from, "command", plain, known);
        List<String> slow = table.texts("slow");
        if (!slow.isEmpty() && !values.containsKey(PeerFile.SETTING)) {
            throw table.wrong("slow", "The table values has no " + PeerFile.SETTING + ".");
        }
        String cpus = table.optionalText("cpus").orElse("server");
        if (!List.of("server", "all").contains(cpus)) {
            throw table.wrong("cpus", "The value is server or all.");
        }
        return new Start(command, cpus.equals("all"), slow, table.flag("wars"), configuration);
    }

    private static void addFiles(Keys table, Set<String> known, Map<String, String> all) {
        Keys files = table.table("configuration").orElse(null);
        if (files == null) {
            return;
        }
        for (String file : files.names()) {
            if (!FILE_NAME.matcher(file).matches()) {
                throw files.wrong(file, "Name a file without a folder.");
            }
            requirePlaceholders(files, file, List.of(files.text(file)), known);
            all.put(file, files.text(file));
        }
    }

    private static List<String> required(Keys table, String key) {
        List<String> words = table.texts(key);
        if (words.isEmpty()) {
            throw table.missing(key);
        }
        return words;
    }

    private static void requirePlaceholders(
            Keys table, String key, List<String> texts, Set<String> known) {
        for (String placeholder : placeholders(texts)) {
            if (!known.contains(placeholder)) {
                throw table.wrong(
                        key,
                        "The placeholder ${%s} is unknown here; there are: %s."
                                .formatted(
                                        placeholder,
                                        String.join(", ", known.stream().sorted().toList())));
            }
        }
    }

    private static List<String> placeholders(List<String> texts) {
        return texts.stream()
                .flatMap(text -> PLACEHOLDER.matcher(text).results())
                .map(found -> found.group(1))
                .toList();
    }

    private static List<String> texts(Value value) {
        return switch (value) {
            case Value.Always(String text) -> List.of(text);
            case Value.Choice(Map<String, String> texts, String otherwise) ->
                    Stream.concat(texts.values().stream(), Stream.of(otherwise)).toList();
        };
    }

    /// Returns the text with its placeholders replaced.
    static String replaced(String text, Function<String, String> value) {
        return PLACEHOLDER
                .matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(value.apply(found.group(1))));
    }
}
