package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The launcher in a copy of the files that a clone would have. Nothing was built there, and the local
/// Maven repository has no artifact of this project: the copy has a version of its own.
@Tag("long")
@Timeout(900)
final class FreshCloneTest {
    private static final String VERSION = "0.1.0-SNAPSHOT";
    private static final String ANOTHER = "0.1.0-clone";

    /// Error Prone has read the same code before.
    private static final String QUICK = "-Dserval.errorprone=-XDserval.errorprone=off\n";

    @TempDir private Path folder;

    @Test
    void launcherBuildsTheServer() throws Exception {
        Path root = SourceTree.read().root();
        assumeTrue(Files.exists(root.resolve(".git")), "needs a clone of the repository");
        List<String> files = tracked(root);
        for (String file : files) {
            copy(root.resolve(file), folder.resolve(file));
        }
        Files.writeString(folder.resolve(".mvn/maven.config"), QUICK);
        String out = run(folder, "./serval", "--version");
        assertThat(out)
                .as(() -> text(folder.resolve("target/build-server.log")))
                .contains("serval: building server (")
                .endsWith("\nserval " + ANOTHER + "\nexit code 0");
    }

    /// Returns the files that a clone of this working copy has after a commit of what has changed.
    private static List<String> tracked(Path root) {
        String out = Programs.run("git", "git", "-C", root.toString(), "ls-files", "-z").out();
        List<String> files = new ArrayList<>(List.of(out.split("\0", -1)));
        files.removeIf(file -> file.isEmpty() || !Files.exists(root.resolve(file)));
        assertThat(files).contains("serval", "pom.xml", ".mvn/jvm.config");
        return files;
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(Objects.requireNonNull(to.getParent()));
        if (to.endsWith("pom.xml")) {
            String pom = Files.readString(from);
            Files.writeString(to, pom.replace(tag(VERSION), tag(ANOTHER)));
        } else {
            Files.copy(from, to);
            assertThat(to.toFile().setExecutable(Files.isExecutable(from))).isTrue();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static String tag(String version) {
        return "<version>" + version + "</version>";
    }

    /// Runs a program, and returns what it prints and its exit code.
    private static String run(Path folder, String... command)
            throws IOException, InterruptedException {
        Path out = folder.resolve("out.log");
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile())
                        .start();
        try {
            assertThat(process.waitFor(800, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
        }
        return text(out) + "exit code " + process.exitValue();
    }
}
