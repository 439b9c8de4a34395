package dev.serval.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.config.Mistakes;
import dev.serval.config.TomlFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that a configuration file includes.
final class IncludesTest {
    private static final String HOST =
            "[[host]]\nname = \"NAME\"\nmount = [{ folder = \"site\" }]\n";

    @TempDir Path folder;

    @BeforeEach
    void makeFolders() throws IOException {
        Files.createDirectories(folder.resolve("site"));
        Files.createDirectories(folder.resolve("sites"));
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    private static String host(String name) {
        return HOST.replace("NAME", name);
    }

    private static String including(String files) {
        return "server.include = " + files + "\n";
    }

    private List<String> wrong(String text) throws IOException {
        return new WrittenFile(folder).wrong(text);
    }

    @Test
    void tablesFollowThoseOfTheFile() throws IOException {
        write("sites/b.toml", host("b.example"));
        write("sites/a.toml", host("a.example") + "[[listener]]\naddress = \"8082\"\n");
        RunOptions options =
                new WrittenFile(folder)
                        .right(
                                including("\"sites/*.toml\"")
                                        + "[[listener]]\naddress = \"8081\"\n"
                                        + host("main.example"));
        assertThat(options.served().mounts().stream().map(each -> each.place().host()))
                .containsExactly("main.example", "a.example", "b.example");
        assertThat(
                        options.engine().listeners().stream()
                                .map(each -> String.valueOf(each.address())))
                .containsExactly("/127.0.0.1:8081", "/127.0.0.1:8082");
        assertThat(Objects.requireNonNull(options.origin()).including()).isTrue();
    }

    @Test
    void hiddenFilesAndTheFileItselfAreLeftOut() throws IOException {
        write(".a.toml", "no TOML");
        write("b.toml.bak", "no TOML");
        write("b.toml", host("b.example"));
        Files.createDirectories(folder.resolve("c.toml"));
        RunOptions options =
                new WrittenFile(folder)
                        .right(including("[\"*.toml\", \"b.toml\"]") + host("main.example"));
        assertThat(options.served().mounts()).hasSize(2);
    }

    @Test
    void absentFolderIsReportedInWords() throws IOException {
        write("file", "x");
        assertThat(wrong(including("\"absent/*.toml\"") + host("main.example")))
                .singleElement()
                .asString()
                .endsWith(
                        "There is no folder absent with files to include: create it, or remove this from include.");
        assertThat(wrong(including("\"file/*.toml\"") + host("main.example")))
                .singleElement()
                .asString()
                .contains("file is no folder with files to include");
    }

    @Test
    void noFileNeedsToMatchAPattern() throws IOException {
        RunOptions options = new WrittenFile(folder).right(including("\"sites/*.toml\""));
        assertThat(options.served().mounts()).isEmpty();
        assertThat(Objects.requireNonNull(options.origin()).including()).isTrue();
    }

    @Test
    void mistakesNameTheirFile() throws IOException {
        write("sites/a.toml", host("a.example") + "foldr = 1\n");
        write("sites/b.toml", "[[host]]\nname = 7\n");
        assertThat(wrong(including("'sites/*'") + "[[mount]]\nfoldr = 1\n"))
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("serval.toml:3:1: "),
                        second -> assertThat(second).startsWith("sites/a.toml:4:1: "),
                        third -> assertThat(third).startsWith("sites/b.toml:2:1: "));
    }

    @Test
    void everyFileThatIsNoTomlIsReported() throws IOException {
        write("sites/a.toml", "a\n");
        write("sites/b.toml", "b\n");
        assertThat(wrong(including("\"sites/*.toml\"")))
                .hasSize(2)
                .allSatisfy(each -> assertThat(each).contains("This is not TOML: "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n\n"})
    void emptyFileIsRefused(String text) throws IOException {
        write("sites/a.toml", text);
        assertThat(wrong(including("\"sites/*.toml\"")))
                .containsExactly(
                        "sites/a.toml: The file is empty, as after a save that has failed: save it"
                                + " again, or remove it.");
    }

    @Test
    void settingsOfTheServerBelongIntoTheFileItself() throws IOException {
        write("sites/a.toml", "[limits]\nhead = \"8k\"\n");
        assertThat(wrong(including("\"sites/a.toml\"")))
                .containsExactly(
                        "sites/a.toml:1:1: An included file has only [[listener]], [[data-source]],"
                                + " [[log]], [[mount]], [[host]]: write limits in serval.toml.");
        write("sites/a.toml", "[host]\nname = \"a.example\"\n");
        assertThat(wrong(including("\"sites/a.toml\"")))
                .singleElement()
                .asString()
                .endsWith(": write host as [[host]].");
    }

    @Test
    void filesThatAreNotThereAreReported() throws IOException {
        assertThat(
                        wrong(
                                including(
                                        "[\"a.toml\", \"none/*.toml\", \"*/a.toml\", \"\", \"\\u0000\"]")))
                .satisfiesExactly(
                        first -> assertThat(first).contains("There is no file a.toml to include."),
                        second -> assertThat(second).contains("There is no folder none with files"),
                        third -> assertThat(third).contains("with * only in the name of the file"),
                        fourth -> assertThat(fourth).contains("There is no file "),
                        fifth -> assertThat(fifth).contains("include takes files, not "));
    }

    @Test
    void filesAreNamedInTexts() throws IOException {
        assertThat(wrong(including("7"))).singleElement().asString().contains("include takes ");
    }

    @Test
    void changeOfWhatIsInForceCannotInclude() {
        Problems problems = new Problems();
        SettingsFile.of(
                TomlFile.readable("", including("\"sites/*.toml\""), Map.of()),
                folder.resolve("serval.toml"),
                "",
                new Mistakes(),
                problems);
        assertThat(problems.sentences())
                .singleElement()
                .asString()
                .endsWith("Only a file can include others: change the file, and reload it.");
    }
}
