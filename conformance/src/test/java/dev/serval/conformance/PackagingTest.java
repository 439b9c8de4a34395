package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The Debian package as far as it can be checked without building it: units, scripts, and names that
/// several files have in common. `packaging/check-package` checks a package that was built.
@Timeout(120)
final class PackagingTest {
    private static final Path ROOT = SourceTree.read().root();
    private static final Path PACKAGING = ROOT.resolve("packaging");
    private static final Path TREE = PACKAGING.resolve("tree");
    private static final Path UNIT = TREE.resolve("usr/lib/systemd/system/serval.service");
    private static final Path SOCKET = TREE.resolve("usr/share/doc/serval/examples/serval.socket");
    private static final String CONFIG = "/etc/serval/serval.toml";

    @TempDir private Path folder;

    /// Runs a program, and returns what it prints if it fails.
    private static String complaints(List<String> command, String debianPackage)
            throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            assumeTrue(
                    false,
                    "needs " + command.getFirst() + " (Debian package " + debianPackage + ")");
            throw e;
        }
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue() == 0 ? out : out + "\n(exit code " + process.exitValue() + ")";
    }

    /// The program of the unit is not installed here, so another takes its place.
    @Test
    void unitsAreValid() throws Exception {
        Path unit = folder.resolve("serval.service");
        Path socket = folder.resolve("serval.socket");
        Files.writeString(unit, Files.readString(UNIT).replace("/usr/bin/serval", "/bin/true"));
        Files.copy(SOCKET, socket);
        for (Path each : List.of(unit, socket)) {
            List<String> command = List.of("systemd-analyze", "verify", each.toString());
            assertThat(complaints(command, "systemd").lines().filter(this::concernsOurs)).isEmpty();
        }
    }

    /// Other units of the machine are read, too, and may have mistakes.
    private boolean concernsOurs(String line) {
        return !line.startsWith("/") || line.startsWith(folder.toString());
    }

    @Test
    void scriptsAreCleanForShellcheck() throws Exception {
        List<String> command =
                new ArrayList<>(List.of("shellcheck", "-x", "--source-path=" + ROOT));
        for (String each :
                List.of(
                        "serval",
                        "packaging/launch.sh",
                        "packaging/upgrade-under-load",
                        "packaging/check-package",
                        "packaging/control/postinst",
                        "packaging/control/prerm",
                        "packaging/control/postrm",
                        "packaging/tree/usr/bin/serval")) {
            command.add(ROOT.resolve(each).toString());
        }
        assertThat(complaints(command, "shellcheck")).isEmpty();
    }

    /// Dpkg passes the former version also to the first configuration after a removal.
    @ParameterizedTest
    @CsvSource({
        "a first installation,         '',  false, inactive, start",
        "one that was interrupted,     '',  true,  inactive, start",
        "one after a removal,          0.1, false, inactive, start",
        "an update of a stopped one,   0.1, true,  inactive, none",
        "an update of one that hangs,  0.1, true,  active,   restart"
    })
    void scriptStartsWhatWasNotHereBefore(
            String what, String version, boolean cached, String state, String action)
            throws Exception {
        Path lib = Files.createDirectory(folder.resolve("lib"));
        Path log = Files.createFile(folder.resolve("log"));
        Files.writeString(
                lib.resolve("launch.sh"),
                "choose_locale() { :; }\nchoose_options() { :; }\nrehearse() { : >$2.aot; }\n");
        if (cached) {
            Files.createFile(lib.resolve("serval.jar.aot"));
        }
        Path script = folder.resolve("postinst");
        Files.writeString(
                script,
                """
                getent() { :; }
                dpkg-statoverride() { :; }
                install() { :; }
                runuser() { [ "$5" = check ]; } # nothing answers
                systemctl() { [ "$2" != is-active ] || [ %s = active ]; }
                deb-systemd-helper() { :; }
                deb-systemd-invoke() { echo "$1" >>%s; }
                """
                                .formatted(state, log)
                        + Files.readString(PACKAGING.resolve("control/postinst"))
                                .replace("/usr/lib/serval", lib.toString())
                                .replace("/run/systemd/system", folder.toString()));
        assertThat(complaints(List.of("bash", script.toString(), "configure", version), "bash"))
                .as(what)
                .isEmpty();
        assertThat(Files.readAllLines(log))
                .as(what)
                .isEqualTo(action.equals("none") ? List.of() : List.of(action));
    }

    /// The service cannot create files elsewhere below /run.
    @Test
    void socketsOfTheManualAreInAFolderOfTheService() throws IOException {
        assertThat(Files.readString(UNIT)).contains("\nRuntimeDirectory=serval\n");
        Pattern own =
                Pattern.compile(
                        "((listen|address) = \"|--lrwp )unix:/run/\\S*|/run/[^\\s/]*serval[^\\s/`]\\S*");
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> pages =
                Files.newDirectoryStream(ROOT.resolve("docs/manual"), "*.md")) {
            for (Path page : pages) {
                own.matcher(Files.readString(page)).results().forEach(at -> found.add(at.group()));
            }
        }
        assertThat(found)
                .hasSizeGreaterThan(3)
                .allSatisfy(path -> assertThat(path).contains("/run/serval/"));
    }

    @Test
    void filesAgreeOnNames() throws IOException {
        assertThat(Files.readAllLines(PACKAGING.resolve("control/conffiles")))
                .allSatisfy(path -> assertThat(TREE.resolve(path.substring(1))).isRegularFile())
                .contains(CONFIG);
        String unit = Files.readString(UNIT);
        assertThat(unit)
                .contains("ExecStart=/usr/bin/serval run --config " + CONFIG)
                .contains("User=serval\n")
                .contains("StateDirectory=serval\n");
        assertThat(Files.readString(TREE.resolve("etc/serval/serval.toml")))
                .contains("state = \"/var/lib/serval\"");
        assertThat(Files.readString(PACKAGING.resolve("control/postinst")))
                .contains("config=" + CONFIG)
                .contains("runuser -u serval ");
        assertThat(Files.readString(TREE.resolve("usr/lib/sysusers.d/serval.conf")))
                .startsWith("u serval ");
    }
}
