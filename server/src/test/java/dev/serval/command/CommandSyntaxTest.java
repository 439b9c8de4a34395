package dev.serval.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.coding.Compression;
import dev.serval.file.FileOptions;
import dev.serval.settings.ListenerChoice;
import dev.serval.settings.Mount;
import dev.serval.settings.Place;
import dev.serval.settings.RunOptions;
import dev.serval.settings.SessionChoice;
import dev.serval.testkit.TestKeys;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CommandSyntaxTest {
    @TempDir Path folder;

    @Test
    void runsOnTheLoopbackAddressWithTheWelcomePageByDefault() {
        RunOptions options = options("run");

        assertThat(options.served().mounts()).isEmpty();
        assertThat(options.engine().addresses()).containsExactly(at("127.0.0.1", 8080));
        assertThat(options.engine().transport()).isEqualTo("auto");
        assertThat(options.engine().loops()).isZero();
        assertThat(options.apps().requestTimeLimit()).isZero();
        assertThat(options.apps().logs()).isAbsolute().endsWithRaw(Path.of("serval", "logs"));
    }

    @Test
    void readsTheFolderForLogsOfApplications() {
        assertThat(options("run", "--app-logs", folder.toString()).apps().logs()).isEqualTo(folder);
        assertThat(options("run", "--app-logs", "none").apps().logs()).isNull();
        assertThat(options("run", "--app-logs", "./none").apps().logs())
                .isEqualTo(Path.of("none").toAbsolutePath());
    }

    @ParameterizedTest(name = "{0} is {1} ms")
    @CsvSource({"1ms, 1", "500ms, 500", "30s, 30000", "2m, 120000", "24h, 86400000"})
    void readsTheTimeLimitOfRequests(String text, long millis) {
        assertThat(options("run", "--request-time-limit", text).apps().requestTimeLimit())
                .hasMillis(millis);
    }

    @Test
    void readsTheEncodingOfApplications() {
        assertThat(options("run").apps().encoding()).isEqualTo(StandardCharsets.UTF_8);
        assertThat(options("run", "--encoding", "latin1").apps().encoding())
                .isEqualTo(StandardCharsets.ISO_8859_1);
        assertThat(options("run", "--encoding", "none").apps().encoding()).isNull();
    }

    @Test
    void keepsSessionsInMemoryByDefault() {
        assertThat(options("run").apps().sessions()).isEqualTo(SessionChoice.STANDARD);
        assertThat(options("run", "--sessions", "memory").apps().sessions())
                .isEqualTo(SessionChoice.STANDARD);
    }

    @Test
    void readsTheOptionsOfSessions() {
        assertThat(
                        options(
                                        "run",
                                        "--sessions",
                                        "files=" + folder,
                                        "--session-timeout",
                                        "2h",
                                        "--session-save",
                                        "stop",
                                        "--session-sync",
                                        "--session-allow",
                                        "com.acme.Cart,com.acme.model.**")
                                .apps()
                                .sessions())
                .isEqualTo(
                        new SessionChoice(
                                new SessionChoice.Place.Files(folder),
                                Duration.ofHours(2),
                                /* onStop */ true,
                                /* sync */ true,
                                List.of("com.acme.Cart", "com.acme.model.**")));
        assertThat(options("run", "--sessions", "jdbc:h2:mem:a").apps().sessions().place())
                .isEqualTo(new SessionChoice.Place.Database("jdbc:h2:mem:a"));
        assertThat(options("run", "--sessions", "files").apps().sessions().place())
                .isInstanceOf(SessionChoice.Place.Files.class);
        assertThat(options("run", "--session-timeout", "0").apps().sessions().timeout())
                .isEqualTo(Duration.ZERO);
    }

    @Test
    void readsOptionsAtAnyPosition() {
        RunOptions options =
                options(
                        "run",
                        "--port=81",
                        folder.toString(),
                        "--host",
                        "::1",
                        "--host",
                        "[::2]",
                        "/x=" + folder,
                        "--transport",
                        "nio",
                        "--stop-delay",
                        "15s",
                        "--loops",
                        "3");

        assertThat(options.served().mounts())
                .containsExactly(folderAt("/", folder), folderAt("/x", folder));
        assertThat(options.engine().addresses()).containsExactly(at("::1", 81), at("::2", 81));
        assertThat(options.engine().transport()).isEqualTo("nio");
        assertThat(options.engine().loops()).isEqualTo(3);
        assertThat(options.engine().readiness().delay()).isEqualTo(Duration.ofSeconds(15));
    }

    @ParameterizedTest
    @CsvSource({"none, ''", "iso-8859-1, iso-8859-1", "UTF-8, UTF-8"})
    void readsTheCharsetOfFiles(String given, String charset) {
        assertThat(charset("run", folder.toString(), "--charset", given)).isEqualTo(charset);
        assertThat(charset("run", folder.toString())).isEqualTo("utf-8");
    }

    /// A folder of the command line is served as the tables of the file say, and an option overrides them
    /// for all folders.
    @Test
    void tablesOfTheFileHoldForFoldersOfTheCommandLine() throws IOException {
        Path file = folder.resolve("own.toml");
        Files.writeString(
                file,
                """
                files = { listing = true, charset = "iso-8859-5" }
                compression.mode = "off"
                [[mount]]
                at = "/own"
                folder = "."
                """);
        String docs = "/docs=" + folder;
        assertThat(options("run", "--config", file.toString(), docs).served().mounts())
                .extracting(mount -> mount.files().listing() + mount.files().textCharset())
                .containsExactly("trueiso-8859-5", "trueiso-8859-5");
        assertThat(options("run", "--config", file.toString(), docs).served().mounts())
                .allSatisfy(mount ->
                        assertThat(mount.files().compression().scope())
                                .isEqualTo(Compression.Scope.OFF));
        assertThat(
                        options("run", "--config", file.toString(), docs, "--charset", "none")
                                .served()
                                .mounts())
                .extracting(mount -> mount.files().listing() + mount.files().textCharset())
                .containsExactly("true", "true");
    }

    @ParameterizedTest(name = "serval {0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ''                             | 2 | There is no command: try serval run
                    rum                            | 2 | There is no command rum; did you mean run?
                    bench static                   | 2 | ./serval of the source tree
                    verify                         | 2 | ./serval of the source tree
                    soak floods                    | 2 | ./serval of the source tree
                    stress                         | 2 | ./serval of the source tree
                    run --prot 1                   | 2 | There is no option --prot; did you mean --port?
                    frobnicate                     | 2 | There is no command frobnicate: serval --help
                    FOLDER                         | 2 | There is no command FOLDER: to serve it, write serval run FOLDER.
                    http://127.0.0.1:9             | 2 | to serve it, write serval run http://127.0.0.1:9.
                    user FOLDER                    | 2 | There is no command FOLDER: serval --help
                    run -p 80                      | 2 | There is no option -p; did you mean --port?
                    status -p 80                   | 2 | There is no option -p: serval --help
                    run --host :80                 | 2 | write --port 80 instead of ":80".
                    run --host http://a            | 2 | --host takes an address of this machine, such as 127.0.0.1, not "http://a".
                    run /a/*=FOLDER                | 2 | ends with a star: a mount serves all paths below its prefix, so write /a.
                    run /**=FOLDER                 | 2 | so write /.
                    run fastcgi:/run/x.sock        | 1 | an address is written as http://127.0.0.1:9000 or fastcgi://unix:/run/app.sock.
                    run /a=http://no.such.host.invalid | 1 | which the name service does not know
                    load-mode                      | 2 | serval load-mode takes one word of auto, light, normal, heavy, critical, not 0.
                    tck servlet                    | 2 | ./serval of the source tree
                    run --port                     | 2 | --port
                    run --port x                   | 2 | --port takes a number from 0 to 65535, 0 for any free port, not "x".
                    run --port 65536               | 2 | not "65536"
                    run --port -1                  | 2 | not "-1"
                    run --port 99999999999999999   | 2 | not "99999999999999999"
                    run --request-time-limit 30    | 2 | --request-time-limit takes a time from 1ms to 24h, such as 30s, 500ms or 2m, not "30".
                    run --request-time-limit 0s    | 2 | not "0s"
                    run --request-time-limit 25h   | 2 | not "25h"
                    run --request-time-limit s     | 2 | not "s"
                    run --request-time-limit 1d    | 2 | not "1d"
                    run --encoding utf-9           | 2 | --encoding takes a charset, such as UTF-8 or ISO-8859-1, or none, not "utf-9".
                    run --encoding ""              | 2 | not
                    run --app-logs                 | 2 | --app-logs
                    run --sessions disk            | 2 | or a URL that begins with jdbc:, not "disk".
                    run --sessions files=          | 2 | not "files=".
                    run --session-timeout 90s      | 2 | --session-timeout takes minutes or hours up to 500h, such as 45m or 2h, or 0 for never, not "90s".
                    run --session-timeout 501h     | 2 | not "501h"
                    run --session-save always      | 2 | --session-save takes request or stop, not "always".
                    run --session-allow com.acme,  | 2 | --session-allow takes classes such as com.acme.Cart, com.acme.* or com.acme.**, separated by commas, not "".
                    run --session-allow com.*.Cart | 2 | not "com.*.Cart"
                    run --session-sync=no          | 2 | --session-sync
                    run --charset klingon          | 2 | --charset takes the name of a charset
                    run --charset a;b              | 2 | --charset takes the name of a charset
                    run --charset ISO_8859-1:1987  | 2 | --charset takes the name of a charset
                    run --stop-delay 15            | 2 | --stop-delay takes a time such as 15s or 1m, at most 1h, or 0 for none, not "15".
                    run --stop-delay 61m           | 2 | not "61m"
                    run --loops 0                  | 2 | --loops takes a number from 1 to 1024
                    run --transport uring          | 2 | --transport takes auto, nio or epoll, not "uring".
                    run --host 127.0.0.1:80        | 2 | write --host 127.0.0.1 --port 80
                    run --host 127.0.0.1 --host 127.0.0.1 | 2 | --host 127.0.0.1 is given twice
                    run --host 0.0.0.0 --host ::   | 2 | --host :: overlaps with another --host: 0.0.0.0 has all
                    run --host 300.1.1.1           | 1 | The host "300.1.1.1" does not resolve
                    run --host unix:               | 2 | such as unix:/run/serval/web.sock
                    run --host unix:/s --port 1    | 2 | --port does not apply to a Unix-domain socket
                    run FOLDER/none                | 1 | There is no "FOLDER/none".
                    run /dev/null                  | 1 | "/dev/null" is neither a folder nor a file
                    run FOLDER/app.jar             | 1 | is a jar, which Serval cannot run
                    run docs=FOLDER                | 1 | write "/docs=FOLDER"
                    run /docs=~/site               | 1 | write $HOME instead
                    run /docs=                     | 2 | names no path
                    run /a//b=FOLDER               | 2 | empty segment
                    run /a/../b=FOLDER             | 2 | empty segment
                    run /a%20b=FOLDER              | 2 | has a character that no prefix can have
                    run FOLDER FOLDER/site         | 2 | give one of them another prefix, such as /site=FOLDER/site.
                    run /a=FOLDER /a/=FOLDER/site  | 2 | such as /a/site=FOLDER/site.
                    """)
    void reportsTheProblemAndItsRemedy(String line, int exitCode, String sentence)
            throws IOException {
        Files.createDirectory(folder.resolve("site"));
        Files.createFile(folder.resolve("app.jar"));
        String[] arguments =
                line.isEmpty()
                        ? new String[0]
                        : line.replace("FOLDER", folder.toString()).split(" ");
        var err = new ByteArrayOutputStream();
        var out = new ByteArrayOutputStream();

        int code =
                CommandLines.read(arguments).carryOut(new PrintStream(out), new PrintStream(err));

        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("serval: ")
                .contains(sentence.replace("FOLDER", folder.toString()))
                .hasLineCount(1);
        assertThat(code).isEqualTo(exitCode);
        assertThat(out.size()).isZero();
    }

    @Test
    void reportsAllProblemsAtOnce() {
        var refusal = (Invocation.Refuse) CommandLines.read(arguments("run --port x --loops y"));

        assertThat(refusal.problems()).hasSize(2);
    }

    @Test
    void existingPathMayHaveAnyName() throws IOException {
        Path odd = Files.createDirectory(folder.resolve("a=b"));

        assertThat(options("run", odd.toString()).served().mounts())
                .containsExactly(folderAt("/", odd));
        assertThat(options("run", "/=" + odd).served().mounts())
                .containsExactly(folderAt("/", odd));
        assertThat(options("run", "/x=" + odd).served().mounts())
                .containsExactly(folderAt("/x", odd));
    }

    @Test
    void oneApplicationIsServedAtTheRootAndSeveralAtTheirNames() throws IOException {
        Path shop = Files.createFile(folder.resolve("shop.war"));
        Path root = Files.createFile(folder.resolve("ROOT.war"));
        Path exploded = Files.createDirectories(folder.resolve("blog"));
        Files.createDirectory(exploded.resolve("WEB-INF"));

        assertThat(options("run", shop.toString()).served().mounts())
                .containsExactly(Mount.application(Place.at("/"), shop));
        assertThat(
                        options("run", shop.toString(), root.toString(), exploded.toString())
                                .served()
                                .mounts())
                .containsExactly(
                        Mount.application(Place.at("/shop"), shop),
                        Mount.application(Place.at("/"), root),
                        Mount.application(Place.at("/blog"), exploded));
        assertThat(options("run", "/x=" + shop).served().mounts())
                .containsExactly(Mount.application(Place.at("/x"), shop));
    }

    @Test
    void parallelVersionsAreRefused() throws IOException {
        Path first = Files.createFile(folder.resolve("x##2.war"));
        Path second = Files.createFile(folder.resolve("y.war"));

        var refusal =
                (Invocation.Refuse)
                        CommandLines.read(
                                new String[] {"run", first.toString(), second.toString()});

        assertThat(refusal.problems())
                .singleElement()
                .asString()
                .contains("parallel versions", "rename it to x.war");
    }

    @Test
    void showsHelpAndVersion() {
        assertThat(shown("--help"))
                .contains("Usage: serval", "run")
                .contains("  verify ", "  bench ", "  soak ", "  stress ", "  package ")
                .contains("  tck ", "  osp ");
        assertThat(shown("run --help"))
                .contains("--port", "--host", "--transport", "--loops", "8080", "127.0.0.1");
        assertThat(List.of("--version", "-v", "-V", "version"))
                .allSatisfy(word -> assertThat(shown(word)).isEqualTo("serval development\n"));
        assertThat(shown("version --help")).contains("Usage: serval version");
        assertThat(shown("help run")).isEqualTo(shown("run --help"));
        assertThat(shown("help status"))
                .startsWith(shown("status --help"))
                .contains("mount.status");
    }

    private static RunOptions options(String... arguments) {
        Invocation invocation = CommandLines.read(arguments);
        return CommandLines.options(invocation);
    }

    private static InetSocketAddress at(String address, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), port);
    }

    private static String shown(String line) {
        return ((Invocation.Show) CommandLines.read(arguments(line))).text();
    }

    private static String[] arguments(String line) {
        return List.of(line.split(" ")).toArray(String[]::new);
    }

    @ParameterizedTest
    @CsvSource({
        "/shop, /shop",
        "/shop/, /shop",
        "/a/b/, /a/b",
        "/, /",
        "www.example.org/shop/, www.example.org/shop",
        "www.example.org/, www.example.org/"
    })
    void undeployTakesAPrefixWithOrWithoutItsLastSlash(String argument, String prefix) {
        assertThat(CommandLines.read(new String[] {"undeploy", argument}))
                .isEqualTo(new ControlCommand(List.of("undeploy", prefix), null, null, null));
    }

    @Test
    void undeployWithoutASlashIsRefused() {
        assertThat(CommandLines.read(new String[] {"undeploy", "shop"}))
                .isInstanceOfSatisfying(
                        Invocation.Refuse.class,
                        refuse ->
                                assertThat(refuse.problems().getFirst()).contains("write /shop."));
    }

    @ParameterizedTest
    @CsvSource({
        "status --server, serval status",
        "run --port, serval run",
        "user add --roles, serval user add"
    })
    void missingValueLeadsToTheHelpOfItsCommand(String line, String command) {
        assertThat(CommandLines.read(line.split(" ", -1)))
                .isInstanceOfSatisfying(
                        Invocation.Refuse.class,
                        refuse ->
                                assertThat(refuse.problems().getFirst())
                                        .endsWith(": see " + command + " --help."));
    }

    private static String charset(String... arguments) {
        return options(arguments).served().mounts().getFirst().files().textCharset();
    }

    private static Mount folderAt(String prefix, Path path) {
        return new Mount(Place.at(prefix), path, false, FileOptions.DEFAULT);
    }

    /// RFC 6797 §8.3: a browser would ask port 443 or the plain port, and reach nothing there.
    @ParameterizedTest
    @CsvSource({"443, 2592000", "8443, 0"})
    void answersByTlsTellBrowsersOnlyAtPort443(int port, long seconds) {
        TestKeys authority =
                TestKeys.make("EC", "dns:ca.test", "-ext", "bc:c", "-dname", "CN=authority");
        TestKeys keys = TestKeys.signedBy(authority, "EC", "dns:a.test");
        RunOptions options =
                CommandLines.options(
                        CommandLines.read(
                                "run",
                                "--port=" + port,
                                "--tls=" + keys.certificate() + "," + keys.key(),
                                "--loops=1"));
        ListenerChoice listener = options.engine().listeners().getFirst();
        assertThat(listener.hsts().secondsAt(at("127.0.0.1", port))).isEqualTo(seconds);
    }
}
