package dev.serval.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.TestKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerReaderTest {
    private static final String HEAD =
            """
            name = "a"
            title = "A"
            why = "because"
            """;
    private static final String FILES = "[files]\ncommand = [\"a\", \"${port}\"]\n";

    private static PeerFile read(String text) {
        return PeerReader.read("a.toml", text, Peers::shipped);
    }

    private static FilePeer peer(String text) {
        return new FilePeer(read(text), Role.FILES, Path.of("jars"), List.of("-Xmx64m"));
    }

    @Test
    void replacesThePlaceholdersOfCommandAndConfiguration() throws IOException {
        FilePeer peer =
                peer(
                        HEAD
                                + """
                                program = "sh"
                                [environment]
                                A = "b"
                                [values]
                                own = "of ${root}"
                                access = { log = "log ${log}", else = "" }
                                [files]
                                command = ["${program}", "${own}", "${access}", "${cpus}"]
                                [files.configuration]
                                "a.conf" = "${port} ${folder} $x ${own}"
                                """);
        try (Stage stage = Stage.create(Map.of(), Cpus.unpinned(Set.of(0, 1)))) {
            String root = stage.site().root().toString();
            String folder = stage.folder().resolve("a").toString();
            assertThat(peer.command(stage, 8080, Map.of()))
                    .containsExactly(
                            "env",
                            "A=b",
                            Programs.find("sh").orElseThrow().toString(),
                            "of " + root,
                            "2");
            assertThat(Path.of(folder, "a.conf")).hasContent("8080 " + folder + " $x of " + root);
            assertThat(peer.command(stage.logging(), 8080, Map.of()))
                    .contains("log " + folder + "/access.log");
            assertThat(peer.command(stage.logging().silent(), 8080, Map.of())).hasSize(5);
        }
        assertThat(peer.logs()).isTrue();
        assertThat(peer.java()).isFalse();
        assertThat(peer.configuration())
                .contains("because", "of ${root} ${access} ${cpus}")
                .contains("with an access log: log ${log}", "a.conf:\n${port} ${folder} $x")
                .doesNotContain("writes no access log");
        assertThat(peer(HEAD + FILES).configuration()).contains("writes no access log");
    }

    @Test
    void serverInJavaGetsTheOptionsOfAllAndItsOwn() throws IOException {
        String text =
                HEAD
                        + """
                        java = true
                        jvm = ["-Da=b"]
                        maven = "g:a"
                        [files]
                        command = ["${java}", "-cp", "${jars}", "M"]
                        cpus = "all"
                        """;
        try (Stage stage = Stage.create(Map.of(), Cpus.unpinned(Set.of(0)))) {
            List<String> command = peer(text).with(List.of("-Xss1m")).command(stage, 80, Map.of());
            assertThat(command.subList(1, command.size()))
                    .containsExactly("-Xmx64m", "-Xss1m", "-Da=b", "-cp", "jars/a", "M");
            assertThat(command.getFirst()).endsWith("/bin/java");
        }
        assertThat(peer(text).missing())
                .contains(
                        "jars/a has no a-*.jar: ./serval verify builds it, and so does mvn package");
        assertThat(peer(text.replace("g:a", "g:a:1.2")).missing().orElse(""))
                .contains("mvn dependency:copy -Dartifact=g:a:1.2 -DoutputDirectory=/");
        assertThat(peer(text).java()).isTrue();
    }

    @Test
    void startIsMeasuredWithTheOptionsOfTheCell(@TempDir Path folder) throws IOException {
        String text = HEAD + "java = true\n[files]\ncommand = [\"${java}\", \"${root}\"]\n";
        Path work = folder.resolve("work");
        List<String> command = peer(text).command(List.of("-Xms9m"), Path.of("a.war"), 80, work);
        assertThat(command.subList(1, command.size())).containsExactly("-Xms9m", "a.war");
        assertThat(work).isDirectory();
    }

    @Test
    void countsTheCpusThatTheServerMayUse() throws IOException {
        Cpus cpus = new Cpus(Set.of(0, 1, 2), Set.of(0), Set.of(1, 2), true);
        String text = HEAD + "[files]\ncommand = [\"${cpus}\"]\n";
        try (Stage stage = Stage.create(Map.of(), cpus)) {
            assertThat(peer(text).command(stage, 80, Map.of())).containsExactly("1");
            assertThat(peer(text + "cpus = \"all\"\n").command(stage, 80, Map.of()))
                    .containsExactly("3");
        }
    }

    @Test
    void nameHasAtMost31Characters() {
        String longest = "a".repeat(31);
        assertThat(read(HEAD.replace("\"a\"", '"' + longest + '"') + FILES).name())
                .isEqualTo(longest);
        assertThatThrownBy(() -> read(HEAD.replace("\"a\"", "\"a" + longest + '"') + FILES))
                .hasMessageContaining("name: Use a-z, 0-9 and hyphens, at most 31.");
    }

    @Test
    void variantHasWhatItDoesNotSayFromTheOther() {
        PeerFile variant = read(HEAD + "like = \"tomcat\"\n[values]\nsetting = \"b\"\n");
        PeerFile tomcat = Peers.shipped("tomcat").orElseThrow();
        assertThat(variant.java()).isTrue();
        assertThat(variant.jvm()).isEqualTo(tomcat.jvm());
        assertThat(variant.software().title()).isEqualTo("A");
        assertThat(variant.software().maven()).isEqualTo(tomcat.software().maven());
        assertThat(variant.software().jars()).isEqualTo("tomcat");
        assertThat(variant.values())
                .containsEntry("setting", new PeerFile.Value.Always("b"))
                .containsKey("access");
        PeerFile.Start usual = Objects.requireNonNull(tomcat.starts().get(Role.SERVLET));
        PeerFile.Start varied = Objects.requireNonNull(variant.starts().get(Role.SERVLET));
        assertThat(usual.slow()).isNotEmpty();
        assertThat(varied.slow()).isEmpty();
        assertThat(varied.command()).isEqualTo(usual.command());
    }

    /// The lines are added before the table `files`, whose begin is line 5.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    port = 80          | a.toml:4:1: port: The key is unknown; there are: name, like,
                    debian = 1         | a.toml:4:1: debian: The value must be a text.
                    cannot = "a"       | a.toml:4:1: cannot: The value must be an array of texts.
                    cannot = [1]       | a.toml:4:1: cannot: The value must be an array of texts.
                    protocols = ["h3"] | a.toml:4:1: protocols: There are: http, h2c, https, h2.
                    java = "yes"       | a.toml:4:1: java: The value must be true or false.
                    values = "yes"     | a.toml:4:1: values: The value must be a table.
                    jvm = ["-X"]       | a.toml:4:1: jvm: Only a server in Java has JVM options
                    java = true        | a.toml:6:1: command: A server with java = true has the word
                    maven = "a"        | a.toml:4:1: maven: Use GROUP:ARTIFACT
                    like = "iis"       | a.toml:4:1: like: The suite has no peer iis.
                    values.port = "1"  | a.toml:4:1: port: The name is taken by the suite
                    values.java = "1"  | a.toml:4:1: java: The name is taken by the suite
                    values.A = "1"     | a.toml:4:1: A: The name is taken by the suite
                    values.b = "${c}"  | a.toml:4:1: b: The placeholder ${c} is unknown here
                    values.b = {}      | a.toml:4:1: b: The table has else and one of log, root, tls, h2c.
                    values.b = {log=""}            | a.toml:4:1: The table b has no key else.
                    values.b = {log="", no=""}     | a.toml:4:21: no: The key is unknown
                    version = {pattern="x"}        | a.toml:4:1: The table version has no key command.
                    version = {command=["x"]}      | a.toml:4:1: The table version has no key pattern.
                    version = {command=["x"], pattern="", x=""}    | x: The key is unknown; there are: command, pattern.
                    version = {command=["${port}"], pattern=""} | The placeholder ${port} is unknown here
                    version = {command=["x"], pattern="("} | pattern: The pattern is wrong
                    configuration."b/c" = ""       | a.toml:4:1: b/c: Name a file without a folder.
                    configuration.b = "${upstream}" | a.toml:4:1: b: The placeholder ${upstream} is unknown here
                    name = "b"         | a.toml:4:1: This is not TOML: name previously defined
                    """)
    void mistakeIsNamedWithItsPlace(String line, String message) {
        assertThatThrownBy(() -> read(HEAD + line + "\n" + FILES))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    port = 1          | a.toml:5:1: port: The key is unknown; there are: command, cpus,
                    cpus = "two"      | a.toml:5:1: cpus: The value is server or all.
                    slow = ["a"]      | a.toml:5:1: slow: The table values has no setting.
                    command = []      | a.toml:4:1: The table files has no key command.
                    command = ["${socket}"] | a.toml:5:1: command: The placeholder ${socket} is unknown here
                    command = ["a", "${java}"] | a.toml:5:1: command: A server with java = true
                    configuration.b = "${c}" | a.toml:5:1: b: The placeholder ${c} is unknown here
                    """)
    void mistakeOfARoleIsNamedWithItsPlace(String line, String message) {
        String command = line.startsWith("command") ? "" : "\ncommand = [\"a\"]\n";
        assertThatThrownBy(() -> read(HEAD + "[files]\n" + line + command))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining(message);
    }

    @Test
    void valuesDependOnTheProtocol() throws IOException {
        String text =
                HEAD
                        + """
                        protocols = ["h2", "h2c"]
                        [values]
                        mode = { tls = "tls ${certificate} ${key} ${keystore}", h2c = "clear", else = "old" }
                        [files]
                        command = ["${protocol}", "${mode}"]
                        """;
        FilePeer peer = peer(text);
        TestKeys keys = TestKeys.local();
        try (Stage stage = Stage.create(Map.of(), Cpus.unpinned(Set.of(0)))) {
            assertThat(peer.command(stage, 80, Map.of())).containsExactly("http", "old");
            assertThat(peer.command(stage.speaking(Protocol.H2C), 80, Map.of()))
                    .containsExactly("h2c", "clear");
            assertThat(peer.command(stage.speaking(Protocol.H2), 80, Map.of()))
                    .containsExactly(
                            "h2",
                            "tls " + keys.certificate() + " " + keys.key() + " " + keys.store());
            assertThatThrownBy(() -> peer.command(stage.speaking(Protocol.HTTPS), 80, Map.of()))
                    .hasMessage("a does not speak https");
        }
        assertThat(peer.configuration())
                .contains("${mode}: old\nover TLS: tls ${certificate} ${key} ${keystore}\n")
                .contains("for HTTP/2 in the clear: clear\n");
        assertThat(peer.logs()).isFalse();
        assertThat(read(HEAD + "like = \"nginx\"\n").protocols()).hasSize(3);
        assertThat(read(HEAD + "like = \"nginx\"\nprotocols = []\n").protocols()).isEmpty();
    }

    @Test
    void requiresNameTitleReasonAndRole() {
        for (String key : List.of("name", "title", "why")) {
            String without = HEAD.lines().filter(line -> !line.startsWith(key)).toList().toString();
            String text = without.substring(1, without.length() - 1).replace(", ", "\n");
            assertThatThrownBy(() -> read(text + "\n" + FILES))
                    .hasMessage("a.toml: The file has no key " + key + ".");
        }
        assertThatThrownBy(() -> read(HEAD)).hasMessageContaining("no key files or servlet or");
        assertThatThrownBy(() -> read(HEAD.replace("\"a\"", "\"A b\"") + FILES))
                .hasMessageContaining("a.toml:1:1: name: Use a-z");
        assertThatThrownBy(() -> read(HEAD + "debian = \"d\"\nmaven = \"g:a\"\n" + FILES))
                .hasMessageContaining("maven: The file has the key debian");
        assertThatThrownBy(() -> read(HEAD + "like = \"nginx\"\nprogram = \"p\"\n"))
                .hasMessageContaining("program: The peer that this one is like has the key.");
    }

    @Test
    void missingProgramIsNamedWithItsPackage() {
        String program = HEAD + "debian = \"d\"\nprogram = \"absent-program\"\n" + FILES;
        assertThat(peer(program).missing()).contains("A is not installed: apt-get install d");
        String needed = HEAD + "program = \"sh\"\nrequires = [\"/absent\"]\n" + FILES;
        assertThat(peer(needed).missing()).contains("A is not installed: install it");
        assertThat(peer(HEAD + "program = \"sh\"\n" + FILES).missing()).isEmpty();
    }

    @Test
    void versionIsFoundInTheOutput() {
        String text = HEAD + "version = { command = [\"echo\", \"v a1.2 b\"], pattern = '%s' }\n";
        assertThat(peer(text.formatted("a([0-9.]+)") + FILES).version()).isEqualTo("1.2");
        assertThat(peer(text.formatted("a[0-9.]+") + FILES).version()).isEqualTo("a1.2");
        assertThat(peer(text.formatted("c") + FILES).version()).isEqualTo("unknown");
        assertThat(peer(HEAD + FILES).version()).isEqualTo("this build");
    }

    @Test
    void userFileCannotTakeAName(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("x.toml"), HEAD + FILES);
        assertThat(peers(file).added()).containsExactly("a");
        assertThatThrownBy(() -> peers(file, file).added()).hasMessageContaining("a is taken");
        for (String name : List.of("nginx", "serval", "worker")) {
            Files.writeString(file, HEAD.replace("\"a\"", '"' + name + '"') + FILES);
            assertThatThrownBy(() -> peers(file).added())
                    .hasMessage(file + ": the name " + name + " is taken: choose another one");
        }
        assertThatThrownBy(() -> peers(folder.resolve("absent.toml")).added())
                .hasMessageContaining("absent.toml cannot be read");
    }

    private static Peers peers(Path... files) {
        return new Peers(
                Role.FILES,
                Path.of("serval.jar"),
                Path.of("jars"),
                List.of(),
                null,
                List.of(files));
    }
}
