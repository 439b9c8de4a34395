package dev.serval.bench.peer;

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
/// @param values more placeholders
record PeerFile(
        String name,
        String why,
        boolean java,
        Software software,
        List<String> cannot,
        List<String> jvm,
        Map<String, String> environment,
        Map<String, Value> values,
        Map<Role, Start> starts) {

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

        /// Depends on whether the peer writes an access log.
        record IfLog(String log, String otherwise) implements Value {}

        /// Depends on whether the suite runs as root.
        record IfRoot(String root, String otherwise) implements Value {}
    }

    /// Returns whether the server can write an access log.
    boolean logs() {
        return values.values().stream().anyMatch(Value.IfLog.class::isInstance);
    }

    /// Returns this file with a value of another text.
    PeerFile with(String value, String text) {
        Map<String, Value> more = new LinkedHashMap<>(values);
        more.put(value, new Value.Always(text));
        return new PeerFile(name, why, java, software, cannot, jvm, environment, more, starts);
    }
}
