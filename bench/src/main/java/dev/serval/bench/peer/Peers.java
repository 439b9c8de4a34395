package dev.serval.bench.peer;

import dev.serval.bench.hello.Way;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The peers that a run can name: Serval, the engine with a handler, the servers that come with the
/// suite as files, and the user's own files.
///
/// @param role of all peers of the run
/// @param jars has a folder for each peer that comes from Maven
/// @param jvmOptions of the user, for every server in Java
/// @param configuration by which Serval is started, or null for its command line
/// @param own files of the user
public record Peers(
        Role role,
        Path serverJar,
        Path jars,
        List<String> jvmOptions,
        @Nullable String configuration,
        List<Path> own) {
    /// The folder into which the build copies the jars of peers.
    public static final Path JARS = Path.of("bench", "target", "peers");

    /// The collector and the heap of every server in Java that serves the web application, Serval
    /// included.
    public static final List<String> JVM_OPTIONS =
            List.of("-XX:+UseSerialGC", "-Xms256m", "-Xmx256m");

    /// The names of the files that come with the suite.
    static final List<String> SHIPPED = Resources.lines(Peers.class, "peers.txt");

    private static final List<String> HANDLERS =
            Arrays.stream(Way.values()).map(way -> way.name().toLowerCase(Locale.ROOT)).toList();

    /// Returns the peer of this name.
    ///
    /// @throws BenchFailure if there is none, or it cannot take the role
    public Peer named(String name) {
        if (name.equals(ServalPeer.NAME)) {
            return gateway(serval(name, serverJar, configuration), role);
        }
        if (name.equals(ServalPeer.GATEWAY)) {
            return gateway(serval(name, serverJar, configuration), Role.PROXY);
        }
        if (HANDLERS.contains(name)) {
            return new HelloPeer(Way.valueOf(name.toUpperCase(Locale.ROOT)), jvmOptions);
        }
        PeerFile file =
                shipped(name)
                        .or(() ->
                                strangers().stream()
                                        .filter(one -> one.name().equals(name))
                                        .findFirst())
                        .orElseThrow(() -> new BenchFailure("no peer '" + name + "'"));
        Role taken = taken(file);
        return gateway(peer(file, taken), taken);
    }

    /// Returns the role that a server takes. Servers of files take part beside those with servlets, in
    /// cells that request files, and gateways that have no files take part before nginx.
    private Role taken(PeerFile file) {
        List<Role> possible =
                switch (role) {
                    case SERVLET -> List.of(role, Role.FILES, Role.PROXY);
                    case FILES -> List.of(role, Role.PROXY);
                    case WAR, PROXY, FASTCGI, SCRIPTS -> List.of(role);
                };
        return possible.stream().filter(file.starts()::containsKey).findFirst().orElse(role);
    }

    /// Returns a peer of an earlier build of Serval, which its command line always starts.
    public Peer earlier(String name, Path jar) {
        return gateway(serval(name, jar, null), role);
    }

    /// Returns the names of the peers of a run: those of the scenario, or those that the user asks for
    /// among all that can take the role.
    ///
    /// @throws BenchFailure if a name is unknown
    public List<String> chosen(List<String> usual, List<String> asked) {
        if (asked.isEmpty()) {
            return usual;
        }
        List<String> known = new ArrayList<>(usual);
        SHIPPED.stream()
                .filter(name -> !usual.contains(name))
                .filter(name -> required(name).starts().containsKey(role))
                .forEach(known::add);
        for (String name : asked) {
            BenchFailure.require(
                    known.contains(name),
                    "no peer '" + name + "'; there are: " + String.join(", ", known));
        }
        return known.stream().filter(asked::contains).toList();
    }

    /// Returns the names of the peers that the user's files describe.
    ///
    /// @throws BenchFailure names a mistake in a file, or a name that is taken
    public List<String> added() {
        return strangers().stream().map(PeerFile::name).toList();
    }

    private List<PeerFile> strangers() {
        List<PeerFile> files = new ArrayList<>();
        List<String> taken = new ArrayList<>(SHIPPED);
        taken.addAll(List.of(ServalPeer.NAME, ServalPeer.GATEWAY));
        taken.addAll(HANDLERS);
        for (Path path : own) {
            PeerFile file = PeerReader.read(path.toString(), text(path), Peers::shipped);
            BenchFailure.require(
                    !taken.contains(file.name()),
                    path + ": the name " + file.name() + " is taken: choose another one");
            taken.add(file.name());
            files.add(file);
        }
        return files;
    }

    private static String text(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new BenchFailure("the peer " + path + " cannot be read: " + e, e);
        }
    }

    private FilePeer peer(PeerFile file, Role in) {
        return new FilePeer(file, in, jars, all());
    }

    private List<String> all() {
        if (role != Role.SERVLET && role != Role.WAR) {
            return jvmOptions;
        }
        List<String> all = new ArrayList<>(JVM_OPTIONS);
        all.addAll(jvmOptions);
        return all;
    }

    private ServalPeer serval(String name, Path jar, @Nullable String text) {
        return new ServalPeer(jar, all()).named(name, List.of()).configured(text);
    }

    private Peer gateway(Peer peer, Role taken) {
        Optional<FilePeer> behind =
                switch (taken) {
                    case FILES, SERVLET, WAR, SCRIPTS -> Optional.empty();
                    case PROXY -> Optional.of(peer(required("nginx"), Role.FILES));
                    case FASTCGI -> Optional.of(peer(required("php-fpm"), Role.SCRIPTS));
                };
        return behind.<Peer>map(one -> new GatewayPeer(peer, one)).orElse(peer);
    }

    /// Returns a peer that comes with the suite, with the suite's usual folder of jars.
    public static FilePeer shipped(String name, Role role) {
        return new FilePeer(
                required(name), role, JARS, role == Role.SERVLET ? JVM_OPTIONS : List.of());
    }

    private static PeerFile required(String name) {
        return shipped(name).orElseThrow();
    }

    /// Returns the description of a server that comes with the suite, or empty if there is none.
    static Optional<PeerFile> shipped(String name) {
        if (!SHIPPED.contains(name)) {
            return Optional.empty();
        }
        String file = name + ".toml";
        return Optional.of(
                PeerReader.read(file, Resources.text(Peers.class, file), Peers::shipped));
    }

    /// Returns a line about a peer: its name, and its version or what is missing.
    public static String state(Peer peer) {
        String state = peer.missing().map(what -> "missing: " + what).orElseGet(peer::version);
        return String.format(Locale.ROOT, "%-24s %s", peer.name(), state);
    }

    /// Prints a line for each peer that comes with the suite: its roles, and its version or what is
    /// missing.
    public static void listAll(PrintStream out) {
        out.println("peers");
        for (String name : SHIPPED) {
            PeerFile file = required(name);
            List<String> roles = file.starts().keySet().stream().map(Role::key).toList();
            String state =
                    file.software()
                            .missing(JARS)
                            .map(what -> "missing: " + what)
                            .orElseGet(() -> file.software().version(JARS));
            out.printf("  %-24s %-22s %s%n", name, String.join(", ", roles), state);
        }
    }
}
