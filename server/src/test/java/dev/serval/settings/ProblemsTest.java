package dev.serval.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ProblemsTest {
    private final Problems problems = new Problems();

    @Test
    void exitCodeIsThatOfTheMachineOnlyWithoutMistakesOfUsage() {
        assertThat(problems.exitCode()).isEqualTo(ExitCodes.OK);
        problems.environment("no folder");
        assertThat(problems.exitCode()).isEqualTo(ExitCodes.ENVIRONMENT);
        problems.usage("no such key");
        assertThat(problems.exitCode()).isEqualTo(ExitCodes.USAGE);
        problems.at("serval.toml:1:1").environment("no folder");
        assertThat(problems.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(problems.sentences())
                .containsExactly("no folder", "no such key", "serval.toml:1:1: no folder");
    }
}
