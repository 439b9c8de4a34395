package dev.serval.config;

import java.util.List;

/// The keys of access logs. Stateless.
final class LogKeys {
    private static final KeyType.Scalar NAME =
            KeyType.text("name", "a name such as \"shop\"", "(?!off$)[A-Za-z0-9_-]{1,60}");

    /// An access log.
    static final Section LOG =
            new Section(
                    "log",
                    true,
                    "An access log: a line for each request. Without any, there is none.",
                    List.of(
                            Key.of(
                                    "name",
                                    NAME,
                                    "",
                                    "The name by which mounts and hosts choose it. The log without a"
                                            + " name is that of all others."),
                            Key.of(
                                            "file",
                                            KeyType.PATH,
                                            "",
                                            "The file, which is created with the rights rw-r-----;"
                                                    + " \"/dev/stdout\" to print the lines.")
                                    .asRequired(),
                            Key.of(
                                    "format",
                                    KeyType.choice("common", "combined", "json"),
                                    "\"combined\"",
                                    "What a line says: the Common Log Format; also referrer and user"
                                            + " agent; or all as JSON, with the phases of the request."),
                            Key.of(
                                    "pattern",
                                    KeyType.text("pattern", "a pattern", "(?s).{1,4000}"),
                                    "",
                                    "A pattern in place of a format, with the codes of Apache's"
                                            + " LogFormat, such as '%h \"%r\" %>s %D'."),
                            Key.of(
                                    "shorten",
                                    KeyType.FLAG,
                                    "false",
                                    "Whether addresses of clients name only the network: 24 bits of"
                                            + " IPv4, 48 bits of IPv6."),
                            Key.of(
                                    "rotate-size",
                                    KeyType.size(0, 1L << 40),
                                    "\"0\"",
                                    "The size that the file does not exceed, unless a single line is"
                                            + " larger: then it is renamed, and another is begun. 0 for"
                                            + " any."),
                            Key.of(
                                    "rotate-daily",
                                    KeyType.FLAG,
                                    "false",
                                    "Whether each day has a file of its own."),
                            Key.of(
                                    "keep",
                                    KeyType.number(0, 1000),
                                    "10",
                                    "How many former files are kept: access.log.1 is the newest."),
                            Key.of(
                                    "compress",
                                    KeyType.FLAG,
                                    "false",
                                    "Whether former files are compressed, to access.log.1.gz.")),
                    List.of());

    private LogKeys() {}

    /// Returns the key by which a mount or a host chooses its log.
    static Key choice(String usual) {
        return Key.of(
                "log",
                KeyType.text("log", "the name of a log, or \"off\"", "[A-Za-z0-9_-]{1,60}"),
                usual,
                "The name of its access log, or \"off\" for none.");
    }
}
