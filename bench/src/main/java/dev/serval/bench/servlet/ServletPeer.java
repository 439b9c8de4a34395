package dev.serval.bench.servlet;

import dev.serval.bench.peer.JavaCommand;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Stage;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A servlet container, started as a program of this package with the container's own jars.
public final class ServletPeer implements Peer {
    /// The collector and the heap of every server in scenario `servlet`, Serval included.
    public static final List<String> JVM_OPTIONS =
            List.of("-XX:+UseSerialGC", "-Xms256m", "-Xmx256m");

    /// The containers.
    public enum Container {
        /// Tomcat 11.
        TOMCAT("tomcat", "tomcat-embed-core-", TomcatServer.class, "plain"),
        /// Jetty 12.1.
        JETTY("jetty", "jetty-server-", JettyServer.class, "plain"),
        /// Undertow 2.3.
        UNDERTOW("undertow", "undertow-servlet-", UndertowServer.class, "plain"),
        /// Grizzly 5.
        GRIZZLY("grizzly", "grizzly-http-servlet-", GrizzlyServer.class, "plain"),
        /// Grizzly with its add-on for pipelining.
        GRIZZLY_PIPELINING("grizzly", "grizzly-http-servlet-", GrizzlyServer.class, "pipelining");

        private final String folder;

        /// The begin of the name of the jar whose version the reports show.
        private final String jar;

        private final Class<?> program;
        private final String setting;

        /// Makes a container.
        ///
        /// @param setting the program's fourth argument, after folder, port and work folder
        Container(String folder, String jar, Class<?> program, String setting) {
            this.folder = folder;
            this.jar = jar;
            this.program = program;
            this.setting = setting;
        }

        /// Returns the container of a peer's name, such as `tomcat`.
        public static Container named(String name) {
            return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
        }
    }

    /// The settings for slow requests: a platform thread for each connection, or virtual threads.
    private static final List<String> SLOW_SETTINGS = List.of("threads", "virtual");

    private final Container container;
    private final String setting;
    private final Path jars;
    private final List<String> jvmOptions;

    /// Makes a peer with additional JVM options.
    ///
    /// @param peers has a folder of jars for each container
    public ServletPeer(Container container, Path peers, List<String> jvmOptions) {
        this(container, container.setting, peers.resolve(container.folder), jvmOptions);
    }

    private ServletPeer(Container container, String setting, Path jars, List<String> jvmOptions) {
        this.container = container;
        this.setting = setting;
        this.jars = jars;
        this.jvmOptions = List.copyOf(jvmOptions);
    }

    /// Returns this peer with additional JVM options.
    public ServletPeer with(List<String> moreJvmOptions) {
        List<String> more = new ArrayList<>(jvmOptions);
        more.addAll(moreJvmOptions);
        return new ServletPeer(container, setting, jars, more);
    }

    /// Returns this container with each of its settings for slow requests. A container that is
    /// there twice is returned for one of them only.
    public List<ServletPeer> forSlowRequests() {
        if (container == Container.GRIZZLY_PIPELINING) {
            return List.of();
        }
        return SLOW_SETTINGS.stream()
                .map(slow -> new ServletPeer(container, slow, jars, jvmOptions))
                .toList();
    }

    /// Returns whether this container unpacks and scans a WAR by itself, as its users do it.
    public boolean readsWars() {
        return container == Container.TOMCAT;
    }

    @Override
    public String name() {
        String name = container.name().toLowerCase(Locale.ROOT).replace('_', '-');
        return setting.equals(container.setting) ? name : name + "-" + setting;
    }

    @Override
    public Optional<String> missing() {
        return version().equals("unknown")
                ? Optional.of(
                        jars + " has no " + container.jar + "*.jar: build it with mvn package")
                : Optional.empty();
    }

    @Override
    public String version() {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(jars, container.jar + "*")) {
            for (Path jar : found) {
                String name = jar.getFileName().toString();
                return name.substring(container.jar.length(), name.length() - ".jar".length());
            }
            return "unknown";
        } catch (IOException e) {
            return "unknown";
        }
    }

    @Override
    public RunningPeer start(Stage stage) throws IOException {
        int port = stage.freePort();
        List<String> options = new ArrayList<>(JVM_OPTIONS);
        options.addAll(jvmOptions);
        Path work = stage.folder().resolve(name()).resolve("work");
        List<String> command = command(options, stage.site().root(), port, work);
        return stage.launch(name(), port, stage.cpus().onServer(command));
    }

    /// Returns the command that serves an application.
    ///
    /// @param options of the JVM; the peer's own are not added
    /// @param application an exploded WAR, or a WAR for a peer that reads one
    /// @param work folder for the container's own files
    public List<String> command(List<String> options, Path application, int port, Path work) {
        List<String> jvm = new ArrayList<>(options);
        jvm.add("--enable-native-access=ALL-UNNAMED");
        String suite = System.getProperty("java.class.path");
        String path = suite + File.pathSeparator + jars + File.separator + "*";
        List<String> program = List.of("-cp", path, container.program.getName());
        return JavaCommand.of(jvm, program, application, port, work, setting);
    }
}
