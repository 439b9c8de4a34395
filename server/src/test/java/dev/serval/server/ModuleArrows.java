package dev.serval.server;

import java.util.Map;
import java.util.Set;

/// Which package of each module may use which; [ArchitectureTest] checks it. In the tables of the
/// servlet container and the gateway, the packages of the engine begin with `engine:`.
final class ModuleArrows {
    /// For each package of the engine, the packages that it may use.
    static final Map<String, Set<String>> ENGINE =
            Map.ofEntries(
                    Map.entry("loop", Set.of()),
                    Map.entry("worker", Set.of("loop")),
                    Map.entry("net", Set.of("loop")),
                    Map.entry("net.epoll", Set.of("net", "loop")),
                    Map.entry("net.nio", Set.of("net")),
                    Map.entry("net.memory", Set.of("net")),
                    Map.entry("tls", Set.of("net")),
                    Map.entry("codec", Set.of()),
                    Map.entry("http", Set.of("codec")),
                    Map.entry("coding", Set.of("codec", "http")),
                    Map.entry("listing", Set.of("http", "policy")),
                    Map.entry("handler", Set.of("coding", "http")),
                    Map.entry("policy", Set.of("http", "handler")),
                    Map.entry("http1", Set.of("codec", "http", "policy")),
                    Map.entry("hpack", Set.of("http")),
                    Map.entry("http2", Set.of("http", "policy", "hpack")),
                    Map.entry(
                            "exchange",
                            Set.of("loop", "worker", "codec", "http", "handler", "policy", "load")),
                    Map.entry(
                            "conn",
                            Set.of(
                                    "loop",
                                    "worker",
                                    "net",
                                    "tls",
                                    "codec",
                                    "http",
                                    "handler",
                                    "policy",
                                    "load",
                                    "exchange",
                                    "http1",
                                    "http2")),
                    Map.entry("route", Set.of("http", "handler", "exchange")),
                    Map.entry("blocking", Set.of("http", "handler", "exchange")),
                    Map.entry("log", Set.of("codec", "http", "handler", "policy", "loop")),
                    Map.entry("load", Set.of("http", "policy", "loop")),
                    Map.entry("spool", Set.of("http", "loop")),
                    Map.entry(
                            "file",
                            Set.of(
                                    "codec",
                                    "coding",
                                    "http",
                                    "handler",
                                    "exchange",
                                    "listing",
                                    "net",
                                    "net.epoll",
                                    "policy",
                                    "spool")),
                    Map.entry("rule", Set.of("http", "handler", "exchange", "policy", "file")),
                    Map.entry(
                            "app",
                            Set.of("codec", "http", "handler", "exchange", "blocking", "file")));

    /// For each package of the servlet container, the packages of the container and of the engine
    /// that it may use.
    static final Map<String, Set<String>> SERVLET =
            Map.ofEntries(
                    Map.entry("descriptor", Set.of()),
                    Map.entry("scan", Set.of()),
                    Map.entry("archive", Set.of()),
                    Map.entry("log", Set.of()),
                    Map.entry("pages", Set.of()),
                    Map.entry("loader", Set.of("inject", "log", "pages")),
                    Map.entry("cookie", Set.of("engine:codec", "engine:http")),
                    Map.entry("parameter", Set.of("engine:codec", "engine:http")),
                    Map.entry("map", Set.of("descriptor")),
                    Map.entry("vault", Set.of()),
                    Map.entry("session", Set.of("descriptor", "vault")),
                    Map.entry("kept", Set.of("session", "vault")),
                    Map.entry("users", Set.of()),
                    Map.entry("database", Set.of()),
                    Map.entry("inject", Set.of("descriptor")),
                    Map.entry("inject.java", Set.of("inject")),
                    Map.entry("webxml", Set.of("descriptor", "scan")),
                    Map.entry("assembly", Set.of("descriptor", "scan", "webxml")),
                    Map.entry("registration", Set.of("descriptor", "inject")),
                    Map.entry("context", Set.of("descriptor", "inject", "pages", "registration")),
                    Map.entry(
                            "multipart",
                            Set.of("descriptor", "parameter", "engine:codec", "engine:http")),
                    Map.entry(
                            "request",
                            Set.of(
                                    "descriptor",
                                    "cookie",
                                    "parameter",
                                    "session",
                                    "engine:http",
                                    "engine:handler",
                                    "engine:blocking")),
                    Map.entry("password", Set.of("users", "request")),
                    Map.entry(
                            "login",
                            Set.of(
                                    "descriptor",
                                    "users",
                                    "password",
                                    "session",
                                    "request",
                                    "engine:codec",
                                    "engine:http")),
                    Map.entry(
                            "security",
                            Set.of("descriptor", "map", "login", "password", "request")),
                    Map.entry(
                            "dispatch",
                            Set.of(
                                    "descriptor",
                                    "map",
                                    "context",
                                    "pages",
                                    "request",
                                    "engine:http",
                                    "engine:handler",
                                    "engine:blocking")),
                    Map.entry("async", Set.of("map", "dispatch", "request", "engine:blocking")),
                    Map.entry(
                            "upgrade",
                            Set.of(
                                    "async",
                                    "context",
                                    "dispatch",
                                    "request",
                                    "engine:http",
                                    "engine:handler",
                                    "engine:blocking")),
                    Map.entry(
                            "run",
                            Set.of(
                                    "descriptor",
                                    "context",
                                    "registration",
                                    "request",
                                    "session",
                                    "parameter",
                                    "multipart",
                                    "dispatch",
                                    "async",
                                    "upgrade",
                                    "engine:http",
                                    "engine:handler",
                                    "engine:blocking")),
                    Map.entry(
                            "files",
                            Set.of(
                                    "archive",
                                    "scan",
                                    "assembly",
                                    "descriptor",
                                    "map",
                                    "pages",
                                    "context",
                                    "request",
                                    "dispatch",
                                    "engine:http",
                                    "engine:handler",
                                    "engine:blocking",
                                    "engine:exchange",
                                    "engine:file")),
                    Map.entry(
                            "app",
                            Set.of(
                                    "database",
                                    "descriptor",
                                    "scan",
                                    "archive",
                                    "loader",
                                    "log",
                                    "pages",
                                    "cookie",
                                    "parameter",
                                    "map",
                                    "session",
                                    "kept",
                                    "vault",
                                    "inject",
                                    "assembly",
                                    "registration",
                                    "context",
                                    "multipart",
                                    "request",
                                    "users",
                                    "password",
                                    "security",
                                    "dispatch",
                                    "run",
                                    "files",
                                    "engine:coding",
                                    "engine:http",
                                    "engine:handler",
                                    "engine:exchange",
                                    "engine:blocking",
                                    "engine:file")));

    /// For each package of the gateway, the packages of the gateway and of the engine that it may
    /// use.
    static final Map<String, Set<String>> GATEWAY =
            Map.ofEntries(
                    Map.entry("cgi", Set.of("engine:codec", "engine:http", "engine:handler")),
                    Map.entry("peer", Set.of("engine:exchange", "engine:net", "engine:loop")),
                    Map.entry("spool", Set.of("engine:exchange", "engine:handler", "engine:net")),
                    Map.entry(
                            "relay",
                            Set.of(
                                    "peer",
                                    "engine:exchange",
                                    "engine:handler",
                                    "engine:http",
                                    "engine:loop",
                                    "engine:net")),
                    Map.entry(
                            "output",
                            Set.of(
                                    "cgi",
                                    "peer",
                                    "relay",
                                    "spool",
                                    "engine:exchange",
                                    "engine:file",
                                    "engine:handler",
                                    "engine:http",
                                    "engine:loop",
                                    "engine:net")),
                    Map.entry(
                            "fastcgi",
                            Set.of(
                                    "cgi",
                                    "output",
                                    "peer",
                                    "relay",
                                    "spool",
                                    "engine:exchange",
                                    "engine:file",
                                    "engine:handler",
                                    "engine:http",
                                    "engine:net")),
                    Map.entry(
                            "scgi",
                            Set.of(
                                    "cgi",
                                    "output",
                                    "peer",
                                    "relay",
                                    "spool",
                                    "engine:exchange",
                                    "engine:handler",
                                    "engine:http",
                                    "engine:net")),
                    Map.entry(
                            "proxy",
                            Set.of(
                                    "peer",
                                    "relay",
                                    "engine:codec",
                                    "engine:exchange",
                                    "engine:handler",
                                    "engine:http",
                                    "engine:http1",
                                    "engine:loop",
                                    "engine:net",
                                    "engine:net.epoll",
                                    "engine:policy")),
                    Map.entry(
                            "neighbour",
                            Set.of(
                                    "fastcgi",
                                    "peer",
                                    "proxy",
                                    "scgi",
                                    "spool",
                                    "engine:file",
                                    "engine:handler")),
                    Map.entry(
                            "lrwp",
                            Set.of(
                                    "cgi",
                                    "peer",
                                    "relay",
                                    "spool",
                                    "engine:codec",
                                    "engine:conn",
                                    "engine:exchange",
                                    "engine:handler",
                                    "engine:http",
                                    "engine:loop",
                                    "engine:net",
                                    "engine:policy")));

    /// For each package of the product, the packages that it may use: those of its own module, of
    /// the engine and of the modules that it assembles. The empty name is the engine's root package.
    static final Map<String, Set<String>> SERVER =
            Map.ofEntries(
                    Map.entry(
                            "access",
                            Set.of(
                                    "exchange",
                                    "handler",
                                    "http",
                                    "servlet.login",
                                    "servlet.password",
                                    "servlet.request",
                                    "servlet.users")),
                    Map.entry("accesslog", Set.of("config", "handler", "log", "policy")),
                    Map.entry("control", Set.of()),
                    Map.entry("service", Set.of("", "control", "net.epoll")),
                    Map.entry("rehearsal", Set.of()),
                    Map.entry("config", Set.of()),
                    Map.entry("database", Set.of("servlet.database")),
                    Map.entry(
                            "settings",
                            Set.of(
                                    "coding",
                                    "accesslog",
                                    "config",
                                    "file",
                                    "gateway.lrwp",
                                    "gateway.neighbour",
                                    "handler",
                                    "http",
                                    "net",
                                    "policy",
                                    "route",
                                    "rule",
                                    "servlet",
                                    "servlet.database")),
                    Map.entry(
                            "backend",
                            Set.of(
                                    "",
                                    "file",
                                    "handler",
                                    "gateway.fastcgi",
                                    "gateway.lrwp",
                                    "gateway.neighbour",
                                    "gateway.peer",
                                    "gateway.spool",
                                    "policy",
                                    "settings")),
                    Map.entry("demo", Set.of("gateway.lrwp", "lrwp.peer", "settings")),
                    Map.entry(
                            "command",
                            Set.of(
                                    "accesslog",
                                    "config",
                                    "control",
                                    "demo",
                                    "file",
                                    "log",
                                    "servlet",
                                    "servlet.database",
                                    "settings")),
                    Map.entry(
                            "site",
                            Set.of(
                                    "accesslog",
                                    "",
                                    "access",
                                    "backend",
                                    "command",
                                    "config",
                                    "control",
                                    "database",
                                    "file",
                                    "handler",
                                    "http",
                                    "jsp",
                                    "policy",
                                    "route",
                                    "rule",
                                    "servlet",
                                    "settings")),
                    Map.entry(
                            "admin",
                            Set.of(
                                    "app",
                                    "config",
                                    "control",
                                    "handler",
                                    "http",
                                    "settings",
                                    "site")),
                    Map.entry(
                            "server",
                            Set.of(
                                    "accesslog",
                                    "",
                                    "admin",
                                    "backend",
                                    "command",
                                    "control",
                                    "demo",
                                    "handler",
                                    "http",
                                    "net.epoll",
                                    "policy",
                                    "route",
                                    "rule",
                                    "settings",
                                    "service",
                                    "site")));

    private ModuleArrows() {}
}
