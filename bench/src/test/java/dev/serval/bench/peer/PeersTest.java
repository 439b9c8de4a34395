package dev.serval.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.bench.client.HttpConnection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Starts every server that comes with the suite and is present, with the jars of the test's class
/// path.
@Timeout(120)
class PeersTest {
    private static final int FAIL_SAFE_MILLIS = 30_000;

    /// A line in the Common Log Format. A server may stop before it has logged its last answer, so
    /// the line may be that of an earlier request.
    private static final Pattern LINE =
            Pattern.compile(
                    "^127\\.0\\.0\\.1 - - \\[[0-9]{2}/[A-Z][a-z]{2}/[0-9]{4}(:[0-9]{2}){3}"
                            + " [-+][0-9]{4}] \"(HEAD|GET) /[a-z0-9.]* HTTP/1\\.1\" [24]0[0-9] ",
                    Pattern.MULTILINE);

    private static final Path NO_JARS = Path.of("target", "no-jars");
    private static final Cpus CPUS = Cpus.unpinned(Set.of(0));

    private static Peers of(Role role) {
        return new Peers(role, Path.of("serval.jar"), NO_JARS, List.of("-Xss2m"), null, List.of());
    }

    private static Stream<String> withFiles() {
        return Peers.SHIPPED.stream()
                .filter(name -> Peers.shipped(name).orElseThrow().starts().containsKey(Role.FILES));
    }

    /// Skips if a program is missing. Jars are on the class path of the tests. CI has every package
    /// but that of lighttpd.
    private static void assumePresent(Peer peer) {
        String missing = peer.missing().filter(what -> !what.contains("-*.jar")).orElse("");
        String reason =
                missing.contains("lighttpd")
                        ? missing
                        : missing.replaceFirst(
                                "(.*) is not installed: apt-get install (.*)",
                                "needs $1 (Debian package $2)");
        assumeThat(missing).as(reason).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("withFiles")
    void servesAFileAndStops(String name) throws IOException {
        assumeThat(Path.of("/proc/self")).as("needs Linux").exists();
        FilePeer peer = (FilePeer) of(Role.FILES).named(name);
        assumePresent(peer);
        assertThat(peer.version()).isNotEmpty();
        try (Stage stage = Stage.create(Map.of("4k.bin", 4096), CPUS)) {
            byte[] file = Files.readAllBytes(stage.site().root().resolve("4k.bin"));
            long pid;
            try (RunningPeer running = peer.start(stage.logging())) {
                pid = running.pid();
                HttpConnection.Answer answer =
                        HttpConnection.get(running.port(), "/4k.bin", FAIL_SAFE_MILLIS);
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.content()).isEqualTo(file);
                assertThat(HttpConnection.get(running.port(), "/absent", FAIL_SAFE_MILLIS).status())
                        .isEqualTo(404);
            }
            assertThat(ProcessHandle.of(pid)).isEmpty();
            Path log = stage.folder().resolve(name).resolve("access.log");
            if (peer.logs()) {
                assertThat(Files.readString(log)).containsPattern(LINE);
            } else {
                assertThat(log).doesNotExist();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"vertx", "helidon", "jdk"})
    void serversWithoutServletsSayHello(String name) throws IOException {
        assumeThat(Path.of("/proc/self")).as("needs Linux").exists();
        try (Stage stage = Stage.create(Map.of("4k.bin", 4096), CPUS);
                RunningPeer running = of(Role.SERVLET).named(name).start(stage)) {
            HttpConnection.Answer answer =
                    HttpConnection.get(running.port(), "/hello", FAIL_SAFE_MILLIS);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.content()).asString().isEqualTo("Hello, World!");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nginx", "nginx-buffers", "haproxy"})
    void gatewayServesTheFileBehindIt(String name) throws IOException {
        assertGateway(of(Role.PROXY).named(name));
    }

    @Test
    void gatewayServesTheOutputOfPhp() throws IOException {
        assertGateway(of(Role.FASTCGI).named("nginx"));
    }

    private static void assertGateway(Peer peer) throws IOException {
        assumeThat(System.getProperty("user.name")).as("php-fpm needs root").isEqualTo("root");
        assumePresent(peer);
        try (Stage stage = Stage.create(Map.of("1k.bin", 1024), CPUS);
                RunningPeer running = peer.start(stage.logging())) {
            byte[] file = Files.readAllBytes(stage.site().root().resolve("1k.bin"));
            HttpConnection.Answer answer =
                    HttpConnection.get(running.port(), "/1k.bin", FAIL_SAFE_MILLIS);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.content()).isEqualTo(file);
            Path behind = stage.folder().resolve(peer.name() + "-upstream");
            assertThat(behind.resolve("access.log")).doesNotExist();
        }
        assertThat(peer.configuration()).contains("Behind it: ");
    }

    @Test
    void everyResourceIsListedAndNamedAsItsFile() throws IOException {
        Path folder = Path.of("src/main/resources/dev/serval/bench/peer");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .filteredOn(name -> name.endsWith(".toml") && !name.equals("serval.toml"))
                    .containsExactlyInAnyOrderElementsOf(
                            Peers.SHIPPED.stream().map(name -> name + ".toml").toList());
        }
        for (String name : Peers.SHIPPED) {
            assertThat(Peers.shipped(name).orElseThrow().name()).isEqualTo(name);
        }
    }

    @Test
    void peersAreChosenAmongAllThatCanTakeTheRole() {
        List<String> usual = List.of("serval", "nginx");
        assertThat(of(Role.FILES).chosen(usual, List.of())).isEqualTo(usual);
        assertThat(of(Role.FILES).chosen(usual, List.of("jdk", "serval")))
                .containsExactly("serval", "jdk");
        assertThatThrownBy(() -> of(Role.FILES).chosen(usual, List.of("haproxy")))
                .hasMessageStartingWith("no peer 'haproxy'; there are: serval, nginx, ");
        assertThatThrownBy(() -> of(Role.FILES).named("php-fpm"))
                .hasMessage("peer php-fpm cannot take part: its file has no table files");
        assertThatThrownBy(() -> of(Role.FASTCGI).named("haproxy"))
                .hasMessage("peer haproxy cannot take part: its file has no table fastcgi");
        assertThatThrownBy(() -> of(Role.FILES).named("iis")).hasMessage("no peer 'iis'");
    }

    @Test
    void gatewaysTakePartBesideServersOfFilesBeforeNginx() {
        for (Role role : List.of(Role.FILES, Role.SERVLET)) {
            for (String name : List.of("haproxy", "serval-proxy")) {
                Peer gateway = of(role).named(name);
                assertThat(gateway.name()).isEqualTo(name);
                assertThat(gateway.configuration()).contains("\nBehind it: nginx\n");
            }
            assertThat(of(role).named("serval").configuration()).doesNotContain("Behind it");
        }
    }

    @Test
    void everyServerInJavaGetsTheUsersOptions() {
        for (String name : List.of("serval", "netty", "jdk", "worker")) {
            Peer peer = of(Role.FILES).named(name);
            assertThat(peer.java()).as(name).isTrue();
            assertThat(peer.configuration()).as(name).contains("-Xss2m");
        }
        assertThat(of(Role.SERVLET).named("serval").configuration())
                .contains("-XX:+UseSerialGC -Xms256m -Xmx256m -Xss2m");
        assertThat(of(Role.FILES).named("nginx").java()).isFalse();
    }

    /// By HTTP/2 in the clear, tcp_nopush makes it wait: 1,150 answers a second instead of 20 times as many.
    @Test
    void nginxHoldsNothingBackByHttp2() {
        assertThat(of(Role.FILES).named("nginx").configuration())
                .contains("tcp_nopush ${sendfile};")
                .containsPattern("[$]\\{sendfile}: on\n[^:]*HTTP/2 in the clear: off\n");
    }

    @Test
    void servalShowsTheFileByWhichItIsStarted() {
        ServalPeer serval = new ServalPeer(Path.of("a.jar"), List.of());
        assertThat(serval.configuration())
                .isEqualTo(
                        """
                        command: java -jar a.jar run ${root} --port ${port}
                        with an access log: --access-log ${log},common
                        over TLS: --tls ${certificate},${key}
                        """);
        assertThat(serval.configured("a = 1\n").configuration())
                .isEqualTo(
                        """
                        command: java -jar a.jar run --config serval.toml
                        with an access log: --access-log ${log},common

                        serval.toml:
                        a = 1
                        """);
    }

    @Test
    void servalWritesAnAccessLogOnlyIfTheStageAsksForIt() throws IOException {
        ServalPeer serval = (ServalPeer) of(Role.FILES).named("serval");
        try (Stage stage = Stage.create(Map.of(), CPUS)) {
            assertThat(serval.command(stage, 80)).doesNotContain("--access-log");
            assertThat(serval.command(stage.logging(), 80))
                    .endsWith("--access-log", stage.folder() + "/serval/access.log,common");
        }
    }

    @Test
    void listHasEveryPeerWithItsRoles() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Peers.listAll(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).hasSize(1 + Peers.SHIPPED.size());
        assertThat(lines)
                .anyMatch(line -> line.startsWith("  nginx  ") && line.contains("files, proxy"))
                .anyMatch(line -> line.startsWith("  tomcat  ") && line.contains("missing: "));
    }
}
