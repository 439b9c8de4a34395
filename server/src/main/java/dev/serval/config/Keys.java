package dev.serval.config;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/// The table of all keys of a configuration. Checks, defaults, `serval help`, `serval check`, the
/// manual's reference page and shell completion come from it. Stateless.
public final class Keys {
    private static final long MOST_BYTES = 1L << 40;
    private static final long MOST_COUNT = 10_000_000;
    private static final Duration DAY = Duration.ofDays(1);
    private static final Pattern STATUS = Pattern.compile("[45]\\d\\d");
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");
    private static final Pattern EXTENSION = Pattern.compile("\\.?[A-Za-z0-9_+-]{1,30}");
    private static final Pattern ANY = Pattern.compile("(?s).{1,1000}");

    /// The values of a field: no character ends it (RFC 9110 §5.5).
    private static final KeyType.Scalar FIELD_VALUE =
            KeyType.text(
                    "text", "the value of a field, in one line", "[\\t -~\\x80-\\uffff]{0,4000}");

    /// As [dev.serval.file.FileOptions#isType] wants it.
    private static final KeyType.Scalar MEDIA_TYPE =
            KeyType.text(
                    "media type",
                    "a media type such as \"text/plain\"",
                    "[!#$%&'*+.^_`|~0-9A-Za-z-]{1,127}/[!#$%&'*+.^_`|~0-9A-Za-z-]{1,127}(; ?[ -~]{1,200})?");

    static final KeyType.Scalar RANGE =
            KeyType.text(
                    "address range",
                    "an address or a range, such as \"10.0.0.0/8\" or \"fd00::/8\"",
                    "[0-9A-Fa-f:.]{2,45}(/\\d{1,3})?");

    private static final KeyType.Scalar STATE_PATH =
            KeyType.text("path", "a path such as \"/ready\"", "/[A-Za-z0-9._~/-]{1,200}");

    /// The limits of a server that its listeners share.
    private static final List<Key> SHARED_LIMITS =
            List.of(
                    Key.of(
                                    "memory",
                                    KeyType.size(1 << 20, MOST_BYTES),
                                    "\"256m\"",
                                    "What all connections hold in unfinished heads, early input and answers"
                                            + " that were not taken. Past it, the connections that hold most"
                                            + " end.")
                            .asRestart(),
                    Key.of(
                                    "workers",
                                    KeyType.number(1, MOST_COUNT),
                                    "",
                                    "Requests that applications work on at once. Others wait in their"
                                            + " order. The last eighth is for short servlets. Without it,"
                                            + " only the key requests limits them.")
                            .asRestart());

    /// The limits of connections and requests, for the server and for one listener.
    static final Section LIMITS =
            new Section(
                            "limits",
                            false,
                            "The limits of connections and requests.",
                            List.of(
                                    Key.of(
                                            "connections",
                                            KeyType.number(1, MOST_COUNT),
                                            "20000",
                                            "Open connections. Past it, new ones are reset. Never more than the"
                                                    + " descriptors of the process allow."),
                                    Key.of(
                                            "connections-per-address",
                                            KeyType.number(0, MOST_COUNT),
                                            "0",
                                            "Open connections of one client: an address of IPv4, or the first 64"
                                                    + " bits of IPv6; 0 for no limit. Past it, new ones are reset."
                                                    + " Those of trusted proxies do not count."),
                                    Key.of(
                                            "requests",
                                            KeyType.number(1, MOST_COUNT),
                                            "10000",
                                            "Requests in progress. Past it, the answer is 503."),
                                    Key.of(
                                            "requests-per-connection",
                                            KeyType.number(0, MOST_COUNT),
                                            "0",
                                            "Requests that one connection serves; 0 for no limit."),
                                    Key.of(
                                            "line",
                                            KeyType.size(64, 1 << 20),
                                            "\"8k\"",
                                            "The request line. Past it, the answer is 414."),
                                    Key.of(
                                            "head",
                                            KeyType.size(256, 1 << 20),
                                            "\"32k\"",
                                            "The request line and all fields. Past it, the answer is 431."),
                                    Key.of(
                                            "fields",
                                            KeyType.number(1, 10_000),
                                            "100",
                                            "The number of fields of a request. Past it, the answer is 431."),
                                    Key.of(
                                            "content",
                                            KeyType.size(0, MOST_BYTES),
                                            "\"10m\"",
                                            "The content of a request. Past it, the answer is 413."),
                                    Key.of(
                                            "head-time",
                                            KeyType.time(DAY, ""),
                                            "\"10s\"",
                                            "How long the head of a request may take from its first byte, or"
                                                    + " from the accept of a new connection. Past it, 408."),
                                    Key.of(
                                            "handshake-time",
                                            KeyType.time(DAY, ""),
                                            "\"10s\"",
                                            "How long a TLS handshake may take from the accept of the"
                                                    + " connection. Past it, the connection is closed."),
                                    Key.of(
                                            "idle-time",
                                            KeyType.time(DAY, ""),
                                            "\"75s\"",
                                            "How long a connection may wait for its next request."),
                                    Key.of(
                                            "stall-time",
                                            KeyType.time(DAY, ""),
                                            "\"30s\"",
                                            "How long a client may take no byte of an answer, or send none of"
                                                    + " the content that is awaited."),
                                    Key.of(
                                            "grace-time",
                                            KeyType.time(DAY, ""),
                                            "\"5s\"",
                                            "How long a client may be slower than min-rate at the beginning."),
                                    Key.of(
                                            "min-rate",
                                            KeyType.size(0, 1 << 30),
                                            "\"240\"",
                                            "The least bytes a second that a client must send of content, and"
                                                    + " take of answers, while the server waits for it."),
                                    Key.of(
                                            "request-time",
                                            KeyType.time(DAY, "no limit"),
                                            "\"0\"",
                                            "How long a request may take from its head to the end of its"
                                                    + " answer. Past it, the answer is 503.")),
                            List.of())
                    .with(rates());

    /// How folders are served.
    static final Section FILES =
            new Section(
                    "files",
                    false,
                    "How files of folders and applications are served. For applications, index, links"
                            + " and listing have no effect.",
                    List.of(
                            Key.of(
                                    "charset",
                                    KeyType.text(
                                            "charset",
                                            "the name of a charset, such as \"utf-8\", or \"none\"",
                                            "[A-Za-z0-9][A-Za-z0-9._+-]{0,60}"),
                                    "\"utf-8\"",
                                    "The charset that text files are sent with; \"none\" for pages that"
                                            + " name theirs themselves."),
                            Key.of(
                                    "index",
                                    new KeyType.Several(
                                            KeyType.text(
                                                    "file name",
                                                    "a file name without a folder",
                                                    "(?!\\.\\.?$)[^/\\x00]{1,255}")),
                                    "[\"index.html\"]",
                                    "The files that answer for a folder: the first that exists."),
                            Key.of(
                                    "links",
                                    KeyType.choice("never", "inside", "owner", "follow"),
                                    "\"inside\"",
                                    "Which symbolic links are followed: never any; those that stay"
                                            + " inside the folder; those whose target has the same owner;"
                                            + " or all."),
                            Key.of(
                                    "listing",
                                    KeyType.FLAG,
                                    "false",
                                    "Whether a folder without an index file shows its files."),
                            Key.of(
                                    "types",
                                    new KeyType.Names(
                                            "extensions such as .wasm", EXTENSION, MEDIA_TYPE),
                                    "",
                                    "Media types by extension, in addition to the usual ones."),
                            Key.of(
                                    "default-type",
                                    MEDIA_TYPE,
                                    "\"application/octet-stream\"",
                                    "The media type of files without an extension, or with one that is"
                                            + " not known."),
                            Key.of(
                                    "cache",
                                    KeyType.FLAG,
                                    "true",
                                    "Whether small files are kept in memory, and large ones open."),
                            Key.of(
                                    "cache-size",
                                    KeyType.size(64 << 10, MOST_BYTES),
                                    "\"64m\"",
                                    "The memory for kept files; at most a quarter of the heap."),
                            Key.of(
                                    "cache-age",
                                    KeyType.time(DAY, "a look at the disk for each request"),
                                    "\"1s\"",
                                    "How long a kept file is served without a look at the disk."),
                            Key.of(
                                    "open-files",
                                    KeyType.number(1, 1_000_000),
                                    "384",
                                    "How many files are kept open between requests."),
                            Key.of(
                                    "cache-control",
                                    new KeyType.Names(
                                            "patterns of paths such as /assets/**, or of media types"
                                                    + " such as image/*",
                                            ANY,
                                            FIELD_VALUE),
                                    "",
                                    "The field Cache-Control by pattern; the first that matches"
                                            + " counts.")),
                    List.of());

    private static final Section SERVER =
            new Section(
                    "server",
                    false,
                    "The process.",
                    List.of(
                            Key.of(
                                    "include",
                                    new KeyType.Several(KeyType.PATH),
                                    "",
                                    "Files with more listeners, data sources, logs, mounts and hosts,"
                                            + " such as \"sites/*.toml\"."),
                            Key.of(
                                            "loops",
                                            KeyType.number(1, 1024),
                                            "(one for each processor)",
                                            "The number of event loops.")
                                    .asRestart(),
                            Key.of(
                                            "transport",
                                            KeyType.choice("auto", "epoll", "nio"),
                                            "\"auto\"",
                                            "How sockets are polled; auto for epoll if it is available.")
                                    .asRestart(),
                            Key.of(
                                            "state",
                                            KeyType.PATH,
                                            "(serval in $XDG_STATE_HOME or ~/.local/state)",
                                            "The folder for the control socket, logs of applications and"
                                                    + " stored sessions.")
                                    .asRestart(),
                            Key.of(
                                    "stop-time",
                                    KeyType.time(Duration.ofHours(1), "none"),
                                    "\"5s\"",
                                    "How long requests in progress may still take at a stop."),
                            Key.of(
                                            "stop-delay",
                                            KeyType.time(Duration.ofHours(1), "none"),
                                            "\"0\"",
                                            "How long the server still serves everything at a stop, while"
                                                    + " it answers that it is not ready. None after"
                                                    + " Ctrl-C.")
                                    .asRestart(),
                            Key.of(
                                            "ready-path",
                                            STATE_PATH,
                                            "",
                                            "A path such as \"/ready\" of every host that answers 200, and"
                                                    + " 503 before and after the server wants requests.")
                                    .asRestart(),
                            Key.of(
                                            "health-path",
                                            STATE_PATH,
                                            "",
                                            "A path such as \"/health\" of every host that answers 200 while"
                                                    + " the process serves.")
                                    .asRestart(),
                            Key.of(
                                    "trusted-proxies",
                                    new KeyType.Several(
                                            KeyType.text(
                                                    "address range",
                                                    "an address, a range such as \"10.0.0.0/8\", or"
                                                            + " \"unix\"",
                                                    "unix|[0-9A-Fa-f:.]{2,45}(/\\d{1,3})?")),
                                    "",
                                    "The proxies whose fields Forwarded and X-Forwarded-* are believed,"
                                            + " and that may ask for https without TLS, as HAProxy does"
                                            + " by HTTP/2; unix for those that connect by a Unix-domain"
                                            + " socket. By default none."),
                            Key.of(
                                    "trusted-fields",
                                    KeyType.choice("either", "forwarded", "x-forwarded"),
                                    "\"either\"",
                                    "Which of these fields they set. A proxy must set or remove all that"
                                            + " are believed, because it could pass on those of its"
                                            + " client.")),
                    List.of());

    private static final Section LISTENER =
            new Section(
                    "listener",
                    true,
                    "An address at which the server listens for HTTP. Without any, it listens at"
                            + " 127.0.0.1:8080.",
                    List.of(
                            Key.of(
                                            "address",
                                            KeyType.text(
                                                    "address",
                                                    "an address such as \"0.0.0.0:80\", \"[::1]:8080\","
                                                            + " \"8080\", \"unix:/run/serval/web.sock\" or"
                                                            + " \"inherited:NAME\"",
                                                    ".{1,200}"),
                                            "",
                                            "Where it listens: PORT alone is on 127.0.0.1, 0.0.0.0 is all"
                                                    + " addresses of IPv4, and [::] is those of IPv4 and"
                                                    + " IPv6. inherited: takes a socket of systemd by its"
                                                    + " name or number.")
                                    .asRequired(),
                            Key.of(
                                    "backlog",
                                    KeyType.number(1, 65_535),
                                    "4096",
                                    "How many connections the system queues until they are accepted. The"
                                            + " system's own limit, net.core.somaxconn, applies too."),
                            Key.of(
                                    "proxy-protocol",
                                    KeyType.FLAG,
                                    "false",
                                    "Whether each connection begins with a header of the PROXY protocol"
                                            + " (version 1 or 2), which names the client. With tls, the"
                                            + " header comes before the handshake."),
                            Key.of(
                                    "proxy-protocol-from",
                                    new KeyType.Several(RANGE),
                                    "",
                                    "Who may send that header. Others are reset. Required if other"
                                            + " machines can reach the listener, or if its socket is"
                                            + " inherited."),
                            TlsKeys.REDIRECT),
                    List.of(
                            TlsKeys.TLS,
                            LIMITS.overriding(
                                    "The limits of a listener, which counts its connections and"
                                            + " requests apart.",
                                    "(that of [limits])"),
                            Http2Keys.HTTP2.overriding(
                                    "HTTP/2 of a listener, which then counts its connections and"
                                            + " requests apart.",
                                    "(that of [http2])")));

    private static final Section LRWP =
            new Section(
                    "lrwp",
                    false,
                    "Applications in other processes that dial in and register their paths (LRWP).",
                    List.of(
                            Key.of(
                                            "listen",
                                            new KeyType.Several(
                                                    KeyType.text(
                                                            "address",
                                                            "a port such as \"1081\", an address and a port, or"
                                                                    + " unix:FILE",
                                                            ".{1,200}")),
                                            "",
                                            "Where they dial in; a port alone is on 127.0.0.1. By default"
                                                    + " nowhere.")
                                    .asRestart(),
                            Key.of(
                                            "allow",
                                            new KeyType.Several(
                                                    KeyType.text(
                                                            "name",
                                                            "a name such as \"osp\", or \"osp=FILE\" with a file"
                                                                    + " that has a passphrase",
                                                            ".{1,400}")),
                                            "",
                                            "The names that may be registered. By default any name that takes"
                                                    + " no path from an application or an upstream, if only"
                                                    + " this machine can dial in.")
                                    .asRestart(),
                            Key.of(
                                            "from",
                                            new KeyType.Several(RANGE),
                                            "",
                                            "The addresses that may dial in. By default any.")
                                    .asRestart()),
                    List.of(TlsKeys.LRWP));

    private static final Section ADMIN =
            new Section(
                    "admin",
                    false,
                    "Administration by HTTP. Without this table there is none.",
                    List.of(
                            Key.of(
                                            "listen",
                                            KeyType.text(
                                                    "address",
                                                    "a loopback address such as \"127.0.0.1:8081\", or"
                                                            + " unix:FILE",
                                                    ".{1,200}"),
                                            "",
                                            "Where it listens. Only a Unix-domain socket of this user, or a"
                                                    + " loopback address with a password.")
                                    .asRequired()
                                    .asRestart(),
                            Key.of(
                                            "password-file",
                                            KeyType.PATH,
                                            "",
                                            "The file whose first line is the password of the user admin.")
                                    .asRestart(),
                            Key.of(
                                            "metrics-password-file",
                                            KeyType.PATH,
                                            "",
                                            "The file whose first line is the password of the user"
                                                    + " metrics, who may read only /metrics. Without it"
                                                    + " only admin may.")
                                    .asRestart()),
                    List.of());

    /// What a file may have at its top.
    public static final Section ROOT =
            new Section(
                    "",
                    false,
                    "A configuration.",
                    List.of(),
                    List.of(
                            SERVER,
                            LISTENER,
                            AcmeKeys.ACME,
                            LIMITS.with(SHARED_LIMITS),
                            Http2Keys.HTTP2,
                            LoadKeys.LOAD,
                            FILES,
                            CompressionKeys.COMPRESSION,
                            ApplicationKeys.APPLICATIONS,
                            ApplicationKeys.DATA_SOURCE,
                            LRWP,
                            LogKeys.LOG,
                            ADMIN,
                            MountKeys.MOUNT,
                            MountKeys.HOST));

    private Keys() {}

    /// Returns the keys of the rate at which each client may send requests, for listeners and mounts.
    static List<Key> rates() {
        return List.of(
                Key.of(
                        "rate",
                        KeyType.text(
                                "rate",
                                "a number of requests in a second, minute or hour, such as \"50/s\","
                                        + " \"100/m\" or \"1000/h\", or \"none\"",
                                "none|[1-9]\\d{0,6}/[smh]"),
                        "\"none\"",
                        "How many requests one client address may send. Past it, the answer is 429 with"
                                + " Retry-After. Addresses of IPv6 count by their first 64 bits."),
                Key.of(
                        "rate-burst",
                        KeyType.number(1, MOST_COUNT),
                        "(the requests of one second, at least 1)",
                        "How many requests a client may send at once that has sent none for a while."),
                Key.of(
                        "rate-except",
                        new KeyType.Several(RANGE),
                        "",
                        "The clients without this limit."));
    }

    /// Returns the type of a table from names of fields to their values.
    static KeyType fields() {
        return new KeyType.Names("names of fields", TOKEN, FIELD_VALUE);
    }

    /// Returns the type of a table from statuses to texts.
    static KeyType byStatus(KeyType.Scalar item) {
        return new KeyType.Names("statuses from 400 to 599", STATUS, item);
    }

    /// Returns the type of a table from any text to values.
    static KeyType byText(String key, KeyType.Scalar item) {
        return new KeyType.Names(key, ANY, item);
    }
}
