package dev.serval.examples.osp;

import dev.serval.examples.osp.call.TokenKey;
import dev.serval.examples.osp.record.SyncPolicy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the command line says. Immutable.
///
/// @param agentHost the LRWP agent's address
/// @param name the path prefix to register
/// @param host the virtual host; empty for any
/// @param passphraseFile the file with the passphrase of LRWP 2.0
/// @param state the folder for key, records and database
/// @param tokens the form of tokens
/// @param signatures what is done with signatures of clients
/// @param clientCertificates the certificates for checking them; null if they are not checked
/// @param database the JDBC address; null for the file of records
record OspOptions(
        String agentHost,
        int agentPort,
        String name,
        String host,
        @Nullable Path passphraseFile,
        int connections,
        Path routes,
        Path state,
        TokenForm tokens,
        TokenKey.Kind key,
        @Nullable String database,
        SyncPolicy sync,
        int validSeconds,
        int timestampMaxSeconds,
        ClientSignatures.Policy signatures,
        @Nullable Path clientCertificates) {
    /// The form of tokens.
    enum TokenForm {
        SIGNED,
        TEXT
    }

    /// The help of the command line.
    static final String USAGE =
            """
            Usage: java -jar osp.jar --routes FILE [OPTION VALUE]...
              --agent HOST:PORT       the LRWP agent of the web server (127.0.0.1:1081)
              --name NAME             the path to serve (osp)
              --host NAME             serve it only for this virtual host
              --passphrase-file FILE  the passphrase that the agent asks for
              --connections N         requests in progress, 1 to 1000 (16)
              --routes FILE           the route and rate table; see README.md for its form
              --state FOLDER          key, records and database (./osp-state)
              --tokens FORM           signed or text (signed)
              --key KIND              the key of signed tokens: rsa or ec (rsa)
              --records WHERE         file or database (file)
              --database URL          JDBC address (an H2 database in the state folder)
              --sync POLICY           when the file is forced to the disk: always, second or never (always)
              --valid-seconds N       how long a token is valid, 10 to 86400 (300)
              --clock-seconds N       refuse requests whose Timestamp differs more; 0 for none (0)
              --signatures POLICY     of clients' messages: ignored, checked or required (ignored)
              --client-certificates FILE  PEM, for checking them: of clients, or of their issuers
            """;

    private static final Set<String> NAMES =
            Set.of(
                    "agent",
                    "name",
                    "host",
                    "passphrase-file",
                    "connections",
                    "routes",
                    "state",
                    "tokens",
                    "key",
                    "records",
                    "database",
                    "sync",
                    "valid-seconds",
                    "clock-seconds",
                    "signatures",
                    "client-certificates");

    /// Reads a command line.
    ///
    /// @throws IllegalArgumentException with a sentence that says what is wrong
    static OspOptions parse(List<String> arguments) {
        Map<String, String> given = pairs(arguments);
        String agent = given.getOrDefault("agent", "127.0.0.1:1081");
        int colon = agent.lastIndexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException(
                    "--agent is \""
                            + agent
                            + "\": write an address and a port, such as"
                            + " 127.0.0.1:1081.");
        }
        String routes = given.get("routes");
        if (routes == null) {
            throw new IllegalArgumentException(
                    "--routes is missing: name the file with the routes.");
        }
        Path state = Path.of(given.getOrDefault("state", "osp-state"));
        String passphrase = given.get("passphrase-file");
        ClientSignatures.Policy signatures =
                choice(
                        ClientSignatures.Policy.class,
                        given,
                        "signatures",
                        ClientSignatures.Policy.IGNORED);
        String certificates = given.get("client-certificates");
        if ((signatures == ClientSignatures.Policy.IGNORED) != (certificates == null)) {
            throw new IllegalArgumentException(
                    certificates == null
                            ? "--signatures "
                                    + signatures.name().toLowerCase(Locale.ROOT)
                                    + " needs --client-certificates FILE as well."
                            : "--client-certificates needs --signatures checked or required as"
                                    + " well.");
        }
        return new OspOptions(
                unbracketed(agent.substring(0, colon)),
                number("agent", "the port", agent.substring(colon + 1), 1, 65_535),
                given.getOrDefault("name", "osp"),
                given.getOrDefault("host", ""),
                passphrase == null ? null : Path.of(passphrase),
                number(given, "connections", 16, 1, 1_000),
                Path.of(routes),
                state,
                choice(TokenForm.class, given, "tokens", TokenForm.SIGNED),
                choice(TokenKey.Kind.class, given, "key", TokenKey.Kind.RSA),
                database(given, state),
                choice(SyncPolicy.class, given, "sync", SyncPolicy.ALWAYS),
                number(given, "valid-seconds", 300, 10, 86_400),
                number(given, "clock-seconds", 0, 0, 86_400),
                signatures,
                certificates == null ? null : Path.of(certificates));
    }

    private static Map<String, String> pairs(List<String> arguments) {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < arguments.size(); i += 2) {
            String name = arguments.get(i);
            if (!name.startsWith("--") || !NAMES.contains(name.substring(2))) {
                throw new IllegalArgumentException(
                        "\"" + name + "\" is not an option: --help lists them all.");
            }
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException(name + " has no value: add one after it.");
            }
            if (given.put(name.substring(2), arguments.get(i + 1)) != null) {
                throw new IllegalArgumentException(name + " is given twice: keep one of them.");
            }
        }
        return given;
    }

    private static @Nullable String database(Map<String, String> given, Path state) {
        String records = given.getOrDefault("records", "file");
        String url = given.get("database");
        return switch (records) {
            case "file" -> {
                if (url != null) {
                    throw new IllegalArgumentException(
                            "--database needs --records database as well.");
                }
                yield null;
            }
            case "database" -> databaseUrl(url, state);
            default ->
                    throw new IllegalArgumentException(
                            "--records is \"" + records + "\": it must be file or database.");
        };
    }

    private static String databaseUrl(@Nullable String url, Path state) {
        if (url == null) {
            return "jdbc:h2:file:" + state.toAbsolutePath().resolve("records");
        }
        if (!url.startsWith("jdbc:h2:") && !url.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException(
                    "--database is \""
                            + url
                            + "\": it must begin with jdbc:postgresql: or"
                            + " jdbc:h2:.");
        }
        return url;
    }

    private static String unbracketed(String host) {
        return host.startsWith("[") && host.endsWith("]")
                ? host.substring(1, host.length() - 1)
                : host;
    }

    private static int number(
            Map<String, String> given, String name, int otherwise, int min, int max) {
        String value = given.get(name);
        return value == null ? otherwise : number(name, "the value", value, min, max);
    }

    private static int number(String name, String what, String value, int min, int max) {
        if (value.matches("[0-9]{1,9}")) {
            int number = Integer.parseInt(value);
            if (number >= min && number <= max) {
                return number;
            }
        }
        throw new IllegalArgumentException(
                "--"
                        + name
                        + ": "
                        + what
                        + " is \""
                        + value
                        + "\", it must be a number from "
                        + min
                        + " to "
                        + max
                        + ".");
    }

    private static <E extends Enum<E>> E choice(
            Class<E> type, Map<String, String> given, String name, E otherwise) {
        String value = given.get(name);
        if (value == null) {
            return otherwise;
        }
        StringBuilder possible = new StringBuilder();
        for (E each : type.getEnumConstants()) {
            String text = each.name().toLowerCase(Locale.ROOT);
            if (text.equals(value)) {
                return each;
            }
            possible.append(possible.isEmpty() ? "" : ", ").append(text);
        }
        throw new IllegalArgumentException(
                "--" + name + " is \"" + value + "\": it must be one of " + possible + ".");
    }
}
