package dev.serval.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.serval.config.KeyPath;
import dev.serval.policy.LoadMode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CompletionTest {
    private static String script(String shell) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        CommandLines.read("completion", shell).carryOut(stream, stream);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static String words(LoadMode[] values) {
        return Stream.of(values).map(LoadMode::text).collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void everyScriptHasAllCommandsAndKeys(String shell) {
        String script = script(shell);
        assertThat(script).contains("run", "check", "reload", "deploy", "completion", "add");
        for (String option : List.of("config", "port", "diff", "server", "roles")) {
            assertThat(script).contains(option);
        }
        assertThat(script)
                .contains("bash zsh fish", "on off")
                .contains("auto " + words(LoadMode.values()));
        for (KeyPath key : KeyPath.all()) {
            assertThat(script).contains(key.path());
        }
    }

    @Test
    void bashCompletesCommandsOptionsAndKeys() throws Exception {
        Path bash = Path.of("/bin/bash");
        assumeTrue(Files.exists(bash), "needs bash");
        assertThat(completed(bash, "serval", "rel")).contains("reload");
        assertThat(completed(bash, "serval", "run", "--conf")).contains("--config");
        assertThat(completed(bash, "serval", "user", "a")).contains("add");
        assertThat(completed(bash, "serval", "help", "mount.fo")).contains("mount.folder");
        assertThat(completed(bash, "serval", "completion", "z")).contains("zsh");
        assertThat(completed(bash, "serval", "load-mode", "h")).contains("heavy");
        assertThat(completed(bash, "serval", "run", "site", "--po")).contains("--port");
        assertThat(completed(bash, "serval", "check", "run", "--di")).contains("--diff");
        assertThat(completed(bash, "serval", "user", "add", "users.txt", "--ro"))
                .contains("--roles");
    }

    private static String completed(Path bash, String... words)
            throws IOException, InterruptedException {
        String ask =
                "\nCOMP_WORDS=("
                        + String.join(" ", words)
                        + ")\nCOMP_CWORD="
                        + (words.length - 1)
                        + "\n_serval\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n";
        Process process =
                new ProcessBuilder(bash.toString(), "--norc", "-c", script("bash") + ask)
                        .redirectErrorStream(true)
                        .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        return out;
    }

    @Test
    void otherShellsAreRefused() {
        assertThat(CommandLines.read("completion", "csh").carryOut(System.out, System.err))
                .isEqualTo(2);
    }
}
