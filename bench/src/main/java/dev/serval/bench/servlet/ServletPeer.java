package dev.serval.bench.servlet;

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

    private final Container container;
    private final Path jars;
    private final List<String> jvmOptions;

    /// Makes a peer with additional JVM options.
    ///
    /// @param peers has a folder of jars for each container
    public ServletPeer(Container container, Path peers, List<String> jvmOptions) {
        this.container = container;
        this.jars = peers.resolve(container.folder);
        this.jvmOptions = List.copyOf(jvmOptions);
    }

    @Override
    public String name() {
        return container.name().toLowerCase(Locale.ROOT).replace('_', '-');
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
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_OPTIONS);
        command.addAll(jvmOptions);
        command.add("--enable-native-access=ALL-UNNAMED");
        String suite = System.getProperty("java.class.path");
        command.addAll(List.of("-cp", suite + File.pathSeparator + jars + File.separator + "*"));
        command.add(container.program.getName());
        command.addAll(List.of(stage.site().root().toString(), String.valueOf(port)));
        command.add(stage.folder().resolve(name()).resolve("work").toString());
        command.add(container.setting);
        return stage.launch(name(), port, stage.cpus().onServer(command));
    }
}
