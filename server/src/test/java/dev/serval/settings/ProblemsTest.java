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
                .containsExactly("serval.toml:1:1: no folder", "no folder", "no such key");
    }

    @Test
    void problemsOfAFileAreInItsOrder() {
        problems.at("a:1/serval.toml:12:5").usage("d");
        problems.usage("There is 1 more mistake.");
        problems.at("a:1/serval.toml:12:14").usage("e");
        problems.at("a:1/serval.toml:3:7").usage("b: 1:1: x");
        problems.at("a:1/serval.toml:3:7").environment("c");
        problems.at("a:1/serval.toml:2:30").environment("a");
        assertThat(problems.sentences())
                .containsExactly(
                        "a:1/serval.toml:2:30: a",
                        "a:1/serval.toml:3:7: b: 1:1: x",
                        "a:1/serval.toml:3:7: c",
                        "a:1/serval.toml:12:5: d",
                        "a:1/serval.toml:12:14: e",
                        "There is 1 more mistake.");
    }

    @Test
    void sameProblemIsToldOnce() {
        problems.at("serval.toml:3:7").usage("a");
        problems.at("serval.toml:3:7").usage("a");
        problems.at("serval.toml:3:8").usage("a");
        assertThat(problems.sentences()).hasSize(2);
        problems.usage("of the command line");
        problems.usage("of the command line");
        assertThat(problems.sentences()).hasSize(4);
    }

    @Test
    void noteIsNoProblem() {
        problems.note("serval.toml:9:1", "b");
        problems.note("serval.toml:2:1", "a");
        problems.note("serval.toml:2:1", "a");
        assertThat(problems.none()).isTrue();
        assertThat(problems.notes()).containsExactly("serval.toml:2:1: a", "serval.toml:9:1: b");
    }
}
