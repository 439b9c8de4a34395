package dev.serval.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.config.Keys;
import dev.serval.config.Mistakes;
import dev.serval.config.Node;
import dev.serval.config.SchemaReader;
import dev.serval.config.TomlFile;
import dev.serval.log.LogSettings;
import dev.serval.log.Rotation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogReaderTest {
    private static final String OTHERS = "\n[[mount]]\nfolder = \".\"\n";

    @TempDir private Path folder;
    private final List<String> problems = new ArrayList<>();

    private List<LogChoice> read(String text) {
        Mistakes mistakes = new Mistakes();
        Node.Table tree = Objects.requireNonNull(TomlFile.read("s.toml", text, Map.of(), mistakes));
        LogReader.Complaint complaint =
                (where, machine, sentence) ->
                        problems.add(where + (machine ? "! " : ": ") + sentence);
        List<LogChoice> logs =
                new LogReader(folder, complaint).read(SchemaReader.read(tree, Keys.ROOT, mistakes));
        assertThat(mistakes.lines()).isEmpty();
        return logs;
    }

    private LogSettings right(String keys) {
        List<LogChoice> logs = read("[[log]]\nfile = \"a.log\"\n" + keys);
        assertThat(problems).isEmpty();
        assertThat(logs).hasSize(1);
        return logs.getFirst().settings();
    }

    private String wrong(String text) {
        List<LogChoice> _ = read(text);
        assertThat(problems).as(text).hasSize(1);
        String problem = problems.getFirst();
        problems.clear();
        return problem;
    }

    @Test
    void readsTheDefaults() {
        LogSettings log = right("");
        assertThat(log.file()).isEqualTo(folder.resolve("a.log"));
        assertThat(log.format()).hasToString("combined");
        assertThat(log.shortened()).isFalse();
        assertThat(log.rotation()).isEqualTo(new Rotation(0, false, 10, false));
    }

    @Test
    void readsAllKeys() {
        LogSettings log =
                right(
                        """
                        pattern = '%h %>s'
                        shorten = true
                        rotate-size = "5m"
                        rotate-daily = true
                        keep = 3
                        compress = true
                        """);
        assertThat(log.format()).hasToString("%h %>s");
        assertThat(log.shortened()).isTrue();
        assertThat(log.rotation()).isEqualTo(new Rotation(5 << 20, true, 3, true));
    }

    @Test
    void namesAreForMountsAndHosts() {
        List<LogChoice> logs =
                read(
                        """
                        [[log]]
                        file = "a.log"
                        [[log]]
                        name = "shop"
                        file = "b.log"
                        format = "common"
                        [[mount]]
                        folder = "."
                        log = "off"
                        [[host]]
                        name = "x.example"
                        log = "shop"
                        [[host.mount]]
                        folder = "."
                        log = "shop"
                        """);
        assertThat(problems).isEmpty();
        assertThat(logs).extracting(LogChoice::name).containsExactly("", "shop");
        assertThat(logs.getLast())
                .asString()
                .contains("b.log (common, for mounts with log = \"shop\"");
    }

    @Test
    void refusesWhatCannotBeALog() throws IOException {
        Files.createDirectory(folder.resolve("inner"));
        assertThat(wrong("[[log]]\nfile = \"inner\""))
                .startsWith("s.toml:2:1! ")
                .contains("is a folder");
        assertThat(wrong("[[log]]\nfile = \"no/a.log\"")).contains("There is no folder");
        assertThat(wrong("[[log]]\nfile = \"a\"\npattern = '%h %Q'"))
                .startsWith("s.toml:3:1: ")
                .contains("at column 4 %Q");
        assertThat(wrong("[[log]]\nfile = \"a\"\nformat = \"common\"\npattern = '%h'"))
                .contains("a format and a pattern");
        assertThat(wrong("[[log]]\nfile = \"a\"\nkeep = 3")).contains("keep has no effect");
        assertThat(wrong("[[log]]\nfile = \"a\"\ncompress = true"))
                .contains("compress has no effect");
        assertThat(wrong("[[log]]\nfile = \"a\"\n[[log]]\nfile = \"b\""))
                .contains("no name either");
        assertThat(wrong("[[log]]\nfile = \"a\"\n[[log]]\nname = \"b\"\nfile = \"./a\""))
                .contains("has this file");
        assertThat(
                        wrong(
                                "[[log]]\nname = \"x\"\nfile = \"a\"\n"
                                        + "[[log]]\nname = \"x\"\nfile = \"b\""))
                .contains("has this name");
    }

    @Test
    void refusesNamesThatNoLogHas() {
        assertThat(wrong(OTHERS + "log = \"shop\"")).contains("no log with the name \"shop\"");
        assertThat(wrong("[[host]]\nname = \"a\"\nlog = \"b\"" + OTHERS)).contains("\"b\"");
        assertThat(
                        wrong(
                                "[[host]]\nname = \"a\"\n[[host.mount]]\nfolder = \".\"\n"
                                        + "log = \"c\""))
                .contains("\"c\"");
    }
}
