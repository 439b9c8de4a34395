package dev.serval.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.accesslog.LogChoice;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LogSyntaxTest {
    @TempDir private Path folder;

    private List<LogChoice> logs(String value) {
        return CommandLines.options(
                        CommandLines.read("run", folder.toString(), "--access-log", value))
                .logs();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a.log | a.log | combined",
                "a.log,common | a.log | common",
                "a,b.log | a,b.log | combined",
                "a,b.log,combined | a,b.log | combined"
            })
    void readsFileAndFormat(String value, String file, String format) {
        List<LogChoice> logs = logs(folder.resolve(value).toString());
        assertThat(logs).hasSize(1);
        assertThat(logs.getFirst().name()).isEmpty();
        assertThat(logs.getFirst().settings().file()).isEqualTo(folder.resolve(file));
        assertThat(logs.getFirst().settings().format()).hasToString(format);
    }

    @Test
    void refusesFormatsThatDoNotExist() {
        Invocation invocation =
                CommandLines.read(
                        "run",
                        folder.toString(),
                        "--access-log",
                        folder.resolve("a.log,xml").toString());
        assertThat(((Invocation.Refuse) invocation).problems())
                .singleElement()
                .asString()
                .contains("There is no format xml", "a.log,combined");
    }

    @Test
    void thereIsNoLogWithoutTheOption() {
        assertThat(CommandLines.options(CommandLines.read("run", folder.toString())).logs())
                .isEmpty();
    }

    @Test
    void refusesFilesThatCannotBeWritten() {
        Invocation invocation =
                CommandLines.read(
                        "run",
                        folder.toString(),
                        "--access-log",
                        folder.resolve("no/a").toString());
        assertThat(((Invocation.Refuse) invocation).problems())
                .singleElement()
                .asString()
                .contains("There is no folder");
        assertThat(
                        ((Invocation.Refuse)
                                        CommandLines.read(
                                                "run", folder.toString(), "--access-log", ""))
                                .problems())
                .singleElement()
                .asString()
                .contains("--access-log takes a file");
    }
}
