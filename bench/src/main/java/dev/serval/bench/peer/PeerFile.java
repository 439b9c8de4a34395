package dev.serval.bench.peer;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A server as data: how to get it, its best published configuration with the reasons, and how it
/// is started in each of its roles. [PeerReader] reads it from a TOML file. Its texts have
/// placeholders such as `${port}`, which [FilePeer] replaces.
///
/// @param why where the configuration comes from, and why it is the best for this server
/// @param cannot what this server does otherwise than a scenario asks, one sentence each
/// @param jvm options that this server in Java needs, beside those that all get
/// @param protocols that it speaks beside HTTP/1.1 in the clear
/// @param values more placeholders
record PeerFile(
        String name,
        String why,
        boolean java,
        Software software,
        List<String> cannot,
        List<String> jvm,
        Map<String, String> environment,
        List<Protocol> protocols,
        Map<String, Value> values,
        Map<Role, Start> starts) {
    /// The conditions of values, with their words for readers.
    static final Map<String, String> CONDITIONS = conditions();

    /// The values of `${setting}` for slow requests are added by [Start#slow].
    static final String SETTING = "setting";

    /// How the server is started in a role.
    ///
    /// @param command its words; one that is empty after the replacement is left out
    /// @param everyCpu whether it may use every CPU of the machine, not only the server's
    /// @param slow the values of `${setting}` with which it takes part in cells with slow requests;
    ///     empty if it does not
    /// @param wars whether it unpacks and scans a WAR by itself
    /// @param configuration the files that it needs: name and text
    record Start(
            List<String> command,
            boolean everyCpu,
            List<String> slow,
            boolean wars,
            Map<String, String> configuration) {
        /// Returns the start of a variant. Of the variants of a server, only the first one takes part
        /// in cells with slow requests.
        Start withoutSlow() {
            return new Start(command, everyCpu, List.of(), wars, configuration);
        }
    }

    /// The text of a placeholder.
    sealed interface Value {
        /// Is always the same.
        record Always(String text) implements Value {}

        /// Depends on conditions, of which the first that holds counts.
        ///
        /// @param texts by the names of [#CONDITIONS]
        record Choice(Map<String, String> texts, String otherwise) implements Value {
            /// Returns the text under these conditions.
            String text(Collection<String> holding) {
                return texts.entrySet().stream()
                        .filter(one -> holding.contains(one.getKey()))
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElse(otherwise);
            }
        }
    }

    private static Map<String, String> conditions() {
        Map<String, String> words = new LinkedHashMap<>();
        words.put("log", "with an access log");
        words.put("root", "if root starts it");
        words.put("tls", "over TLS");
        words.put("h2c", "for HTTP/2 in the clear");
        return words;
    }

    /// Returns whether the server can write an access log.
    boolean logs() {
        return values.values().stream()
                .anyMatch(value ->
                        value instanceof Value.Choice choice && choice.texts().containsKey("log"));
    }

    /// Returns whether the server speaks a protocol.
    boolean speaks(Protocol protocol) {
        return protocol == Protocol.HTTP || protocols.contains(protocol);
    }

    /// Returns this file with a value of another text.
    PeerFile with(String value, String text) {
        Map<String, Value> more = new LinkedHashMap<>(values);
        more.put(value, new Value.Always(text));
        return new PeerFile(
                name, why, java, software, cannot, jvm, environment, protocols, more, starts);
    }
}
