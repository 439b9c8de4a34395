package dev.serval;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Checks the warning at start, in JVMs that were started with and without flags.
@Timeout(120)
final class StartFlagsTest {
    private static final List<String> OPENS =
            List.of("java.base/java.lang", "java.base/java.io", "java.base/sun.nio.ch");

    /// Starts two servers, one after the other. The argument is `auto`, `silent`, or `chosen` for a
    /// transport and Workers that the program chose.
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws IOException {
            for (int i = 0; i < 2; i++) {
                Serval.Builder builder = Serval.listen(0).loops(1).get("/", x -> x.text("x"));
                switch (arguments[0]) {
                    case "chosen" -> builder.transport("nio").workers(WorkerKind.VIRTUAL);
                    case "silent" -> builder.withoutFlagWarning();
                    default -> {}
                }
                try (Serval server = builder.start()) {
                    System.out.println(server.transport() + " | " + server.workerThreads());
                }
            }
        }
    }

    private static String run(List<String> flags, String argument) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx64m");
        command.addAll(flags);
        command.add("-cp");
        command.add(classes(Serval.class) + File.pathSeparator + classes(Program.class));
        command.add(Program.class.getName());
        command.add(argument);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String all = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(all).isZero();
        return all;
    }

    private static Path classes(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static List<String> all() {
        List<String> flags = new ArrayList<>();
        for (String name : OPENS) {
            flags.add("--add-opens");
            flags.add(name + "=ALL-UNNAMED");
        }
        flags.add("--enable-native-access=ALL-UNNAMED");
        return flags;
    }

    @Test
    void warnsOnceWithoutFlags() throws Exception {
        String all = run(List.of(), "auto");
        assertThat(all.split("Serval is slower than it could be", -1)).hasSize(2);
        assertThat(all).contains("handlers run on the JDK's scheduler");
        if (linux()) {
            assertThat(all)
                    .contains("sockets use java.nio instead of epoll")
                    .contains(String.join(" ", all()));
        }
    }

    @Test
    void doesNotWarnWithAllFlags() throws Exception {
        String all = run(all(), "auto");
        assertThat(all).doesNotContain("slower", "WARNING");
        assertThat(all).contains("virtual threads carried by the event loops");
        if (linux()) {
            assertThat(all).contains("epoll |");
        }
    }

    @Test
    void usesNioAndNamesTheFlagWithoutNativeAccess() throws Exception {
        List<String> flags = new ArrayList<>(all());
        flags.set(flags.size() - 1, "--illegal-native-access=deny");
        String all = run(flags, "auto");
        assertThat(all).contains("virtual threads carried by the event loops");
        if (linux()) {
            assertThat(all)
                    .contains("nio: no epoll, native access is not enabled for it")
                    .contains("Start java with --enable-native-access=ALL-UNNAMED.");
        }
    }

    @Test
    void doesNotWarnIfTheProgramChose() throws Exception {
        assertThat(run(List.of(), "chosen")).doesNotContain("slower");
        assertThat(run(List.of(), "silent")).doesNotContain("slower");
    }

    @Test
    void namesOnlyMissingFlags() {
        StartFlags missing = new StartFlags(false, List.of("java.io"), true, null);
        assertThat(missing.text())
                .isEqualTo(
                        "Serval is slower than it could be: sockets use java.nio instead of epoll."
                                + " Start java with --add-opens java.base/java.io=ALL-UNNAMED"
                                + " --enable-native-access=ALL-UNNAMED. Or give an executable jar a"
                                + " manifest with Add-Opens: java.base/java.io and"
                                + " Enable-Native-Access: ALL-UNNAMED.");
    }

    @Test
    void flagsNameTheModuleOnTheModulePath() {
        StartFlags missing =
                new StartFlags(true, List.of("java.io", "sun.nio.ch"), true, "dev.serval.engine");
        assertThat(missing.text())
                .isEqualTo(
                        "Serval is slower than it could be: handlers run on the JDK's scheduler"
                                + " instead of the event loops, and sockets use java.nio instead of"
                                + " epoll. Start java with"
                                + " --add-opens java.base/java.lang=dev.serval.engine"
                                + " --add-opens java.base/java.io=dev.serval.engine"
                                + " --add-opens java.base/sun.nio.ch=dev.serval.engine"
                                + " --enable-native-access=dev.serval.engine.");
    }

    private static boolean linux() {
        return System.getProperty("os.name").equals("Linux");
    }
}
