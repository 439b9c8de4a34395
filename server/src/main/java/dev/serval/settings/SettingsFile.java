package dev.serval.settings;

import dev.serval.accesslog.LogReader;
import dev.serval.automatic.AcmeReader;
import dev.serval.config.Includes;
import dev.serval.config.Keys;
import dev.serval.config.Mistakes;
import dev.serval.config.Node;
import dev.serval.config.SchemaReader;
import dev.serval.config.TomlFile;
import dev.serval.config.Values;
import dev.serval.policy.AddressRange;
import dev.serval.policy.Limits;
import dev.serval.policy.ProxyProtocol;
import dev.serval.policy.TrustedProxies;
import dev.serval.tls.TlsSettings;
import java.net.SocketAddress;
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
    private static final String INHERITED = "inherited:";

    /// The file that `serval run` takes if there is no other argument.
    public static final String USUAL_NAME = "serval.toml";

    /// Reads a file. All problems are added at once, each with its line and column.
    ///
    /// @param environment the variables that the file may use
    /// @return null after a problem that leaves nothing to look at
    public static @Nullable SettingsFile read(
            Path file, Map<String, String> environment, Problems problems) {
        @Nullable String text = text(file, problems);
        if (text == null) {
            return null;
        }
        Mistakes mistakes = new Mistakes();
        Node.@Nullable Table tree = TomlFile.read(file.toString(), text, environment, mistakes);
        Includes.@Nullable Whole whole =
                tree == null ? null : Includes.read(file, tree, environment, mistakes);
        if (whole == null) {
            mistakes.lines().forEach(problems::usage);
            return null;
        }
        return of(whole, file, text, mistakes, problems);
    }

    /// Reads a file as far as it can be understood, to find the server that runs with it. Somebody
    /// may have made a mistake in it since the start. What it includes is not read.
    ///
    /// @param problems only those that leave nothing to look at
    /// @return null after a problem
    public static @Nullable SettingsFile readable(
            Path file, Map<String, String> environment, Problems problems) {
        @Nullable String text = text(file, problems);
        if (text == null) {
            return null;
        }
        Node.Table tree = TomlFile.readable(file.toString(), text, environment);
        return of(tree, file, text, new Mistakes(), new Problems());
    }

    private static @Nullable String text(Path file, Problems problems) {
        Mistakes mistakes = new Mistakes();
        @Nullable String text = TomlFile.text(file, mistakes);
        mistakes.lines().forEach(problems::environment);
        return text;
    }

    /// Reads a tree, such as one that an administrator has changed.
    ///
    /// @param file where it belongs: relative paths are relative to its folder
    /// @param text what the file has
    /// @param mistakes those that were found before
    public static SettingsFile of(
            Node.Table tree, Path file, String text, Mistakes mistakes, Problems problems) {
        return of(new Includes.Whole(tree, false), file, text, mistakes, problems);
    }

    private static SettingsFile of(
            Includes.Whole whole, Path file, String text, Mistakes mistakes, Problems problems) {
        Values values = SchemaReader.read(whole.tree(), Keys.ROOT, mistakes);
        mistakes.lines().forEach(problems::usage);
        @Nullable Path parent = file.toAbsolutePath().normalize().getParent();
        Path folder = parent == null ? Path.of("/") : parent;
        @Nullable Path named = state(values, folder);
        Path state = named == null ? UserFolders.state() : named;
        MountChoice served = new MountReader(folder, problems).read(values);
        EngineChoice engine =
                engine(values, folder, problems).withMountContent(served.contentMaxBytes());
        RunOptions options =
                new RunOptions(
                        served,
                        engine,
                        new AppReader(folder, state, served.hasApplications(), problems)
                                .read(values),
                        lrwp(values.table("lrwp"), folder, problems),
                        false,
                        AdminReader.read(values, folder, problems),
                        new LogReader(
                                        folder,
                                        (where, machine, sentence) ->
                                                complain(problems, where, machine, sentence))
                                .read(values),
                        new AcmeReader(
                                        folder,
                                        state,
                                        (where, machine, sentence) ->
                                                complain(problems, where, machine, sentence))
                                .read(values),
                        new Origin(
                                file.toAbsolutePath().normalize(),
                                named,
                                text,
                                whole.including(),
                                whole.tree(),
                                values));
        checkInclude(values.table("server"), problems);
        checkOthers(values, options, problems);
        for (Values log : LogReader.unused(values)) {
            problems.note(
                    log.where("name"),
                    "No mount or host has log = \""
                            + log.text("name")
                            + "\", so nothing is written to this log.");
        }
        return new SettingsFile(values, options);
    }

    private static void complain(
            Problems problems, String where, boolean machine, String sentence) {
        if (machine) {
            problems.at(where).environment(sentence);
        } else {
            problems.at(where).usage(sentence);
        }
    }

    private static @Nullable Path state(Values values, Path folder) {
        @Nullable String named = values.table("server").textOrNull("state");
        return named == null ? null : folder.resolve(named).normalize();
    }

    private static EngineChoice engine(Values root, Path folder, Problems problems) {
        Values server = root.table("server");
        Limits usual = LimitsReader.withLoad(root.table("load"), Limits.DEFAULT);
        Limits limits =
                LimitsReader.withHttp2(
                        root.table("http2"),
                        LimitsReader.ofServer(root.table("limits"), usual, problems));
        List<ListenerChoice> listeners = new ArrayList<>();
        List<Values> tables = new ArrayList<>();
        for (Values each : root.tables("listener")) {
            @Nullable ListenerChoice listener =
                    listener(each, root.table("limits"), limits, folder, problems);
            if (listener == null) {
                continue;
            }
            if (!listener.isAnywhere() && listeners.stream().anyMatch(listener::isAt)) {
                problems.at(each.where("address"))
                        .usage("Another listener has this address: once is enough.");
            } else if (listeners.stream().anyMatch(listener::overlaps)) {
                problems.at(each.where("address"))
                        .usage(
                                "This address overlaps with that of another listener: "
                                        + ListenAddress.ALL);
            }
            listeners.add(listener);
            tables.add(each);
        }
        noteLoneRates(root.table("limits"), tables, problems);
        @Nullable TrustedProxies trusted = trusted(server, problems);
        List<ListenerChoice> telling =
                TlsReader.HttpsDefaults.telling(listeners, tables, trusted != null);
        List<ListenerChoice> chosen =
                trusted == null
                        ? TlsReader.HttpsDefaults.redirecting(telling, tables, root, problems)
                        : telling;
        return new EngineChoice(
                chosen.isEmpty() ? EngineChoice.STANDARD.listeners() : chosen,
                server.text("transport"),
                server.has("loops") ? (int) server.number("loops") : 0,
                limits,
                trusted,
                server.time("stop-time"),
                new EngineChoice.Readiness(
                        server.time("stop-delay"),
                        server.textOrNull("ready-path"),
                        server.textOrNull("health-path")));
    }

    /// Refuses files to include in a change of what is in force. Those of a file have been read by now.
    private static void checkInclude(Values server, Problems problems) {
        if (server.has("include")) {
            problems.at(server.where("include"))
                    .usage("Only a file can include others: change the file, and reload it.");
        }
    }

    /// Refuses addresses of the administration and of applications that dial in which a listener of the
    /// file has.
    private static void checkOthers(Values values, RunOptions options, Problems problems) {
        if (values.tables("listener").isEmpty()) {
            return;
        }
        String taken = "A listener has this address, too: choose another port.";
        @Nullable AdminChoice admin = options.admin();
        if (admin != null && options.engine().isTaken(admin.address())) {
            problems.at(values.table("admin").where("listen")).usage(taken);
        }
        if (options.lrwp().addresses().stream().anyMatch(options.engine()::isTaken)) {
            problems.at(values.table("lrwp").where("listen")).usage(taken);
        }
    }

    /// A burst of the server may be that of a listener with a rate of its own, and the other way round.
    private static void noteLoneRates(Values usual, List<Values> listeners, Problems problems) {
        boolean rated = usual.has("rate");
        boolean anyRated = rated;
        for (Values listener : listeners) {
            Values own = listener.table("limits");
            LimitsReader.noteLone(own, rated || own.has("rate"), problems);
            anyRated |= own.has("rate");
        }
        LimitsReader.noteLone(usual, anyRated, problems);
    }

    /// @param usual the table of the limits of the server, `limits`
    private static @Nullable ListenerChoice listener(
            Values values, Values usual, Limits limits, Path folder, Problems problems) {
        if (!values.has("address")) {
            return null; // reported already
        }
        String text = values.text("address");
        @Nullable String inherited =
                text.startsWith(INHERITED) ? text.substring(INHERITED.length()) : null;
        @Nullable SocketAddress address =
                inherited != null
                        ? null
                        : ListenAddress.of(
                                text, "address", folder, problems.at(values.where("address")));
        if (address == null && inherited == null) {
            return null;
        }
        boolean own = !values.tables("limits").isEmpty() || !values.tables("http2").isEmpty();
        @Nullable TlsSettings tls = TlsReader.ofListener(values, folder, problems);
        return new ListenerChoice(
                address,
                inherited,
                own ? ownLimits(values, usual, limits, problems) : null,
                (int) values.number("backlog"),
                proxy(values, address, problems),
                tls,
                TlsReader.httpsPort(values, problems),
                ListenerChoice.Hsts.NONE);
    }

    /// A rate of its own has the burst of `usual` if that says one.
    private static Limits ownLimits(
            Values listener, Values usual, Limits limits, Problems problems) {
        return LimitsReader.withHttp2(
                listener.table("http2"),
                LimitsReader.read(listener.table("limits").over(usual), limits, problems));
    }

    /// @param address null for an inherited socket, which other machines may reach
    private static @Nullable ProxyProtocol proxy(
            Values listener, @Nullable SocketAddress address, Problems problems) {
        if (!listener.flag("proxy-protocol")) {
            if (listener.has("proxy-protocol-from")) {
                problems.at(listener.where("proxy-protocol-from"))
                        .usage(
                                "proxy-protocol-from has no effect without proxy-protocol = true: add"
                                        + " it.");
            }
            return null;
        }
        List<String> from = listener.texts("proxy-protocol-from");
        if (from.isEmpty() && (address == null || ListenAddress.reachable(address))) {
            problems.at(listener.where("proxy-protocol"))
                    .usage(
                            "proxy-protocol = true lets every machine that reaches "
                                    + listener.text("address")
                                    + " name any client address: add proxy-protocol-from with the"
                                    + " addresses of the proxies, such as \"10.0.0.5\", or"
                                    + " [\"0.0.0.0/0\", \"::/0\"] to believe every machine.");
        }
        return new ProxyProtocol(ranges(from, problems.at(listener.where("proxy-protocol-from"))));
    }

    private static @Nullable TrustedProxies trusted(Values server, Problems problems) {
        List<String> texts = new ArrayList<>(server.texts("trusted-proxies"));
        boolean unix = texts.remove("unix");
        if (texts.isEmpty() && !unix) {
            if (server.has("trusted-fields")) {
                problems.note(
                        server.where("trusted-fields"),
                        "trusted-fields has no effect without trusted-proxies.");
            }
            return null;
        }
        return new TrustedProxies(ranges(texts, problems.at(server.where("trusted-proxies"))))
                .withUnixDomain(unix)
                .withConvention(
                        switch (server.text("trusted-fields")) {
                            case "forwarded" -> TrustedProxies.Convention.FORWARDED;
                            case "x-forwarded" -> TrustedProxies.Convention.X_FORWARDED;
                            default -> TrustedProxies.Convention.EITHER;
                        });
    }

    static List<AddressRange> ranges(List<String> texts, Complaints problems) {
        List<AddressRange> ranges = new ArrayList<>();
        for (String text : texts) {
            try {
                ranges.add(AddressRange.of(text));
            } catch (IllegalArgumentException e) {
                problems.usage(e.getMessage() + ".");
            }
        }
        return ranges;
    }

    private static LrwpChoice lrwp(Values lrwp, Path folder, Problems problems) {
        List<String> listen = lrwp.texts("listen");
        if (listen.isEmpty()) {
            if (lrwp.has("allow") || lrwp.has("from") || !lrwp.tables("tls").isEmpty()) {
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
                        folder,
                        problems.at(lrwp.where()))
                .withTls(TlsReader.read(lrwp, folder, problems));
    }
}
