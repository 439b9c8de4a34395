package dev.serval.config;

import java.time.Duration;
import java.util.List;

/// The keys of mounts and hosts. Stateless.
final class MountKeys {
    private static final Duration WEEK = Duration.ofDays(7);

    private static final KeyType.Scalar ADDRESS =
            KeyType.text(
                    "address",
                    "an address such as \"http://127.0.0.1:9000\" or \"http://unix:/run/app.sock\"",
                    ".{1,2000}");

    private static final KeyType.Scalar SOCKET =
            KeyType.text(
                    "address",
                    "an address such as \"127.0.0.1:9000\" or \"unix:/run/app.sock\"",
                    ".{1,2000}");

    private static final KeyType.Scalar OWN_ADDRESS =
            KeyType.text("address", "one of the addresses of the mount", ".{1,2000}");

    private static final Section UPSTREAM =
            new Section(
                    "upstream",
                    false,
                    "The connections to the servers behind a mount, and what is passed on.",
                    List.of(
                            Key.of(
                                    "connections",
                                    KeyType.number(1, 10_000),
                                    "(128; 32 for SCGI; 4 for FastCGI with keep)",
                                    "Connections at a time."),
                            Key.of(
                                    "queue",
                                    KeyType.number(1, 100_000),
                                    "(1000)",
                                    "Requests that wait for a connection. Past it, the answer is 503."),
                            Key.of(
                                    "queue-time",
                                    KeyType.time(WEEK, ""),
                                    "(30s)",
                                    "How long a request may wait for a connection."),
                            Key.of(
                                    "connect-time",
                                    KeyType.time(WEEK, ""),
                                    "(5s)",
                                    "How long a connect may take."),
                            Key.of(
                                    "answer-time",
                                    KeyType.time(WEEK, ""),
                                    "(60s)",
                                    "How long a server may send nothing while its answer is awaited. Past"
                                            + " it, the answer is 504."),
                            Key.of(
                                    "idle-time",
                                    KeyType.time(WEEK, ""),
                                    "(30s)",
                                    "How long an unused connection is kept."),
                            Key.of(
                                    "half-close",
                                    KeyType.FLAG,
                                    "false",
                                    "Whether a client that has ended its half still gets its answer."),
                            Key.of(
                                    "weights",
                                    Keys.byText("addresses of the mount", KeyType.number(0, 1000)),
                                    "",
                                    "How many requests an address gets in relation to the others; 1"
                                            + " without it."),
                            Key.of(
                                    "backup",
                                    new KeyType.Several(OWN_ADDRESS),
                                    "",
                                    "The addresses that are used only while all others are down."),
                            Key.of(
                                    "sticky",
                                    KeyType.text(
                                            "cookie name",
                                            "the name of a cookie",
                                            "[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}"),
                                    "",
                                    "The cookie by which the requests of a client reach the same server."),
                            Key.of(
                                    "path",
                                    KeyType.TEXT,
                                    "(the path of the request, without a change)",
                                    "The path at the server that takes the place of the mount's prefix."),
                            Key.of(
                                    "host",
                                    KeyType.TEXT,
                                    "(that of the request)",
                                    "The host that the server is asked for."),
                            Key.of(
                                    "trust",
                                    KeyType.FLAG,
                                    "false",
                                    "Whether X-Forwarded-* fields of the client are passed on with more"
                                            + " values added."),
                            Key.of(
                                    "check",
                                    KeyType.TEXT,
                                    "(none)",
                                    "A path that is asked for to see whether a server is well."),
                            Key.of(
                                    "check-every",
                                    KeyType.time(WEEK, ""),
                                    "\"5s\"",
                                    "The time between two checks."),
                            Key.of(
                                    "tunnel-idle",
                                    KeyType.time(WEEK, ""),
                                    "(10m)",
                                    "How long a tunnel, such as a WebSocket, may be silent."),
                            Key.of(
                                    "location",
                                    KeyType.choice("rewrite", "keep"),
                                    "\"keep\"",
                                    "Whether Location and the paths of cookies are changed from the"
                                            + " server's address to the mount's."),
                            Key.of(
                                            "fields",
                                            Keys.fields(),
                                            "",
                                            "Fields for the server, in place of those of the client; an empty"
                                                    + " text removes one. $client, $host, $scheme, $uri and"
                                                    + " $user are replaced.")
                                    .asSecret(Secrecy.FIELDS),
                            Key.of(
                                    "root",
                                    KeyType.PATH,
                                    "",
                                    "FastCGI: the folder of the scripts. Other files in it are sent."),
                            Key.of(
                                    "remote",
                                    KeyType.FLAG,
                                    "false",
                                    "FastCGI: whether only the application server has that folder."),
                            Key.of(
                                    "index",
                                    KeyType.TEXT,
                                    "\"index.php\"",
                                    "FastCGI: the script that answers for a folder."),
                            Key.of(
                                    "fallback",
                                    KeyType.TEXT,
                                    "(none: 404)",
                                    "FastCGI: the script that answers if there is no such file, such as"
                                            + " /index.php."),
                            Key.of(
                                    "send",
                                    KeyType.PATH,
                                    "",
                                    "The folder from which the server may name files by X-Sendfile and"
                                            + " X-Accel-Redirect."),
                            Key.of(
                                            "variables",
                                            Keys.byText("names of variables", KeyType.TEXT),
                                            "",
                                            "FastCGI and SCGI: variables of every request, in place of those of"
                                                    + " the request, such as SCRIPT_FILENAME. The values are"
                                                    + " fixed texts.")
                                    .asSecret(Secrecy.FIELDS),
                            Key.of(
                                    "buffer",
                                    KeyType.FLAG,
                                    "true",
                                    "Whether the content of a request is collected before a connection"
                                            + " is used, and the rest of an answer is stored while its"
                                            + " client is slow. For proxy, content of unknown length is"
                                            + " collected only while other such content holds half of the"
                                            + " connections."),
                            Key.of(
                                    "chunked",
                                    KeyType.FLAG,
                                    "true",
                                    "Proxy: whether the servers take content in chunks. Without that,"
                                            + " content of unknown length is always collected, and sent"
                                            + " with its length."),
                            Key.of(
                                    "keep",
                                    KeyType.FLAG,
                                    "false",
                                    "FastCGI: whether connections are kept, each of which occupies a"
                                            + " process of PHP.")),
                    List.of(TlsKeys.UPSTREAM));

    private static final Section REWRITE =
            new Section(
                    "rewrite",
                    true,
                    "A change of the path before anything answers, or a redirect. The first that matches"
                            + " counts.",
                    List.of(
                            Key.of(
                                            "from",
                                            KeyType.TEXT,
                                            "",
                                            "A regular expression that the whole decoded path below the mount"
                                                    + " must match.")
                                    .asRequired(),
                            Key.of(
                                            "to",
                                            KeyType.TEXT,
                                            "",
                                            "The new path of the host, with the prefix of the mount, and a query"
                                                    + " after ?; $1 is the first group. With a status it may"
                                                    + " be a URL. The query of the request is added.")
                                    .asRequired(),
                            Key.of(
                                    "status",
                                    KeyType.number(301, 308),
                                    "(none: the request continues with the new path)",
                                    "The status that sends the client there: 301, 302, 303, 307 or 308.")),
                    List.of());

    private static final Section LOGIN =
            new Section(
                    "login",
                    false,
                    "Who may use a mount, by BASIC authentication (RFC 7617).",
                    List.of(
                            Key.of(
                                            "users",
                                            KeyType.PATH,
                                            "",
                                            "The file of users: serval user add writes it.")
                                    .asRequired(),
                            Key.of(
                                    "realm",
                                    KeyType.text(
                                            "text",
                                            "1 to 100 characters of ASCII without \" and \\",
                                            "[ !#-\\[\\]-~]{1,100}"),
                                    "\"Serval\"",
                                    "What the browser shows when it asks for the password."),
                            Key.of(
                                    "roles",
                                    new KeyType.Several(KeyType.TEXT),
                                    "",
                                    "The roles of which a user needs one. By default any user of the file"
                                            + " may enter.")),
                    List.of());

    private static final Section MOUNT_LIMITS =
            new Section(
                            "limits",
                            false,
                            "The limits of requests to a mount. What is not given is as for the listener.",
                            List.of(
                                    Key.of(
                                            "content",
                                            KeyType.size(1, 1L << 40),
                                            "(that of the listener)",
                                            "The content of a request. Past it, the answer is 413."),
                                    Key.of(
                                            "request-time",
                                            KeyType.time(Duration.ofDays(1), ""),
                                            "(that of the listener)",
                                            "How long a request may take. Past it, the answer is 503."),
                                    Key.of(
                                            "requests",
                                            KeyType.number(1, 10_000_000),
                                            "(that of the listener)",
                                            "Requests in progress. Past it, the answer is 503."),
                                    Key.of(
                                            "min-rate",
                                            KeyType.size(1, 1 << 30),
                                            "(that of the listener)",
                                            "The least bytes a second that a client must send and take.")),
                            List.of())
                    .with(Keys.rates());

    /// What is served at one prefix.
    static final Section MOUNT =
            new Section(
                    "mount",
                    true,
                    "What is served at a path. It has exactly one of folder, app, proxy, fastcgi, scgi"
                            + " and redirect.",
                    List.of(
                            Key.of(
                                    "at",
                                    KeyType.text(
                                            "prefix",
                                            "a path such as \"/\" or \"/shop\"",
                                            "/.{0,1000}"),
                                    "\"/\"",
                                    "The path below which it answers; the longest that fits counts."),
                            Key.of("folder", KeyType.PATH, "", "A folder of files, or one file."),
                            Key.of(
                                    "app",
                                    KeyType.PATH,
                                    "",
                                    "A Servlet application: a WAR, or a folder that has WEB-INF."),
                            Key.of(
                                    "proxy",
                                    new KeyType.Several(ADDRESS),
                                    "",
                                    "One or several HTTP servers. A list shares the requests among them."),
                            Key.of(
                                    "fastcgi",
                                    new KeyType.Several(SOCKET),
                                    "",
                                    "One or several FastCGI servers, such as php-fpm."),
                            Key.of(
                                    "scgi",
                                    new KeyType.Several(SOCKET),
                                    "",
                                    "One or several SCGI servers."),
                            Key.of(
                                    "redirect",
                                    KeyType.TEXT,
                                    "",
                                    "A URL or a path to which clients are sent. If it ends with /*, the rest"
                                            + " of the path and the query are added. Otherwise all"
                                            + " paths lead to this very address, without the rest."),
                            Key.of(
                                    "status",
                                    KeyType.number(301, 308),
                                    "308",
                                    "The status of a redirect: 301, 302, 303, 307 or 308."),
                            Key.of(
                                    "try-files",
                                    new KeyType.Several(KeyType.TEXT),
                                    "",
                                    "What answers, in turn: \"$path\" if that file exists, \"$path/\" if that"
                                            + " folder exists, and at last a path below the mount such"
                                            + " as \"/index.html\" or \"/index.php?q=$path&$query\","
                                            + " or \"=404\"."),
                            Key.of(
                                    "deny",
                                    new KeyType.Several(KeyType.TEXT),
                                    "",
                                    "Patterns of paths that answer 404, such as \"*.inc\" or \"/data/**\". A"
                                            + " file or script that they match is no index of a folder."),
                            Key.of(
                                    "access",
                                    new KeyType.Several(
                                            KeyType.text(
                                                    "rule",
                                                    "a rule such as \"allow 10.0.0.0/8\" or \"deny all\"",
                                                    "(allow|deny) (all|[0-9A-Fa-f:.]{2,45}(/\\d{1,3})?)")),
                                    "",
                                    "Rules by the client's address. The first that matches counts. If none"
                                            + " does, access is allowed, unless a rule allows some"
                                            + " addresses."),
                            Key.of(
                                    "fields",
                                    Keys.fields(),
                                    "",
                                    "Fields of every answer, in place of others of that name, except Vary"
                                            + " and Set-Cookie, which are added; an empty text removes"
                                            + " one."),
                            Key.of(
                                    "error-pages",
                                    Keys.byStatus(KeyType.TEXT),
                                    "",
                                    "Paths of this host that make the pages of error answers, by status,"
                                            + " such as \"/404.html\"."),
                            Key.of(
                                    "intercept",
                                    KeyType.FLAG,
                                    "false",
                                    "Whether these pages also take the place of error answers that the server"
                                            + " behind a mount of proxy, fastcgi or scgi makes."),
                            LogKeys.choice("(that of the host, or the log without a name)")),
                    List.of(
                            Keys.FILES.overriding(
                                    "How the files of this mount are served.", "(that of [files])"),
                            CompressionKeys.COMPRESSION.overriding(
                                    "What this mount sends compressed.", "(that of [compression])"),
                            UPSTREAM,
                            REWRITE,
                            LOGIN,
                            MOUNT_LIMITS));

    /// A site with names of its own.
    static final Section HOST =
            new Section(
                    "host",
                    true,
                    "A site with its own names and mounts. Mounts outside any host answer for all other"
                            + " names.",
                    List.of(
                            Key.of(
                                            "name",
                                            new KeyType.Several(
                                                    KeyType.text(
                                                            "host name",
                                                            "a name such as \"www.example.org\" or"
                                                                    + " \"*.example.org\"",
                                                            "\\*|(\\*\\.)?[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*\\.?"
                                                                    + "|\\[[0-9A-Fa-f:.]+\\]")),
                                            "",
                                            "The names of the site.")
                                    .asRequired(),
                            Key.of(
                                    "redirect",
                                    KeyType.TEXT,
                                    "",
                                    "Where all requests are sent that no mount of this host answers, such as"
                                            + " \"https://www.example.org/*\"."),
                            Key.of(
                                    "fields",
                                    Keys.fields(),
                                    "",
                                    "Fields of every answer of this host."),
                            Key.of(
                                    "error-pages",
                                    Keys.byStatus(KeyType.TEXT),
                                    "",
                                    "Pages of error answers, as for a mount."),
                            AcmeKeys.HOST,
                            LogKeys.choice("(the log without a name)")),
                    List.of(MOUNT));

    private MountKeys() {}
}
