package dev.serval.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UserCommandTest {
    @TempDir Path folder;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /// Runs a command line and returns its exit code.
    private int run(String input, String... arguments) {
        out.reset();
        err.reset();
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        try {
            return CommandLines.read(arguments)
                    .carryOut(
                            new PrintStream(out, true, StandardCharsets.UTF_8),
                            new PrintStream(err, true, StandardCharsets.UTF_8));
        } finally {
            System.setIn(before);
        }
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void addsListsAndRemovesUsers() throws Exception {
        String file = folder.resolve("users.txt").toString();
        assertThat(run("s3cret\n", "user", "add", file, "ada", "--roles", "staff,admin")).isZero();
        assertThat(printed())
                .isEqualTo("Added ada in " + file + ", with the roles staff, admin.\n");
        assertThat(run("s3cret\nmore", "user", "add", file, "bob", "--realm=the shop")).isZero();
        assertThat(printed()).isEqualTo("Added bob in " + file + ", without roles.\n");
        assertThat(run("other\n", "user", "add", file, "ada", "--roles", "guest")).isZero();
        assertThat(printed()).startsWith("Changed ada ");
        assertThat(Files.readString(Path.of(file)))
                .contains("\nada guest pbkdf2-sha256:600000:")
                .contains("\nbob - pbkdf2-sha256:600000:", " digest-sha256:the+shop:")
                .doesNotContain("s3cret", "other");

        assertThat(run("", "user", "list", file)).isZero();
        assertThat(printed())
                .isEqualTo("ada  guest\nbob  no roles  DIGEST for the realm \"the shop\"\n");
        assertThat(run("", "user", "remove", file, "ada")).isZero();
        assertThat(run("", "user", "remove", file, "ada")).isEqualTo(Invocation.ENVIRONMENT);
        assertThat(printed()).isEqualTo("serval: " + file + " has no user ada.\n");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    user                          | 2 | serval user needs one of add, remove and list: see serval user --help.
                    user add                      | 2 | serval user add takes a file and a name, not 0 arguments.
                    user add FILE                 | 2 | serval user add takes a file and a name, not 1 arguments.
                    user add FILE ada s3cret      | 2 | serval user add takes a file and a name, not 3 arguments: the password is never an argument.
                    user list                     | 2 | serval user list takes a file, not 0 arguments.
                    user add FILE a:b             | 2 | A name has 1 to 256 characters, no blank, no colon
                    user add FILE ada --roles a,, | 2 | A role has at least one character
                    user add FILE ada --role a    | 2 | There is no option --role
                    user list FILE                | 1 | There is no file FILE: serval user add creates it
                    user remove FILE ada          | 1 | There is no file FILE: serval user add creates it
                    run app --users               | 2 | Missing required parameter for option '--users' (FILE)
                    """)
    void wrongUseGetsASentence(String line, int exitCode, String message) {
        String file = folder.resolve("missing.txt").toString();
        String[] arguments = line.replace("FILE", file).split(" ", -1);
        assertThat(run("s3cret\n", arguments)).isEqualTo(exitCode);
        assertThat(printed().replace(file, "FILE")).startsWith("serval: " + message);
    }

    @Test
    void folderInPlaceOfAFileIsNamed() {
        assertThat(run("s3cret\n", "user", "add", folder.toString(), "ada"))
                .isEqualTo(Invocation.ENVIRONMENT);
        assertThat(printed()).isEqualTo("serval: " + folder + " is a folder: name a file in it.\n");
    }

    @Test
    void fileThatMayNotBeUsedIsExplained() {
        assertThat(
                        UserCommand.explained(
                                Path.of("users.txt"), new AccessDeniedException(".users-1.new")))
                .startsWith("This user may not use users.txt: change the owner or the rights");
    }

    @Test
    void refusesAnEmptyOrMissingPassword() {
        String file = folder.resolve("users.txt").toString();
        assertThat(run("", "user", "add", file, "ada")).isEqualTo(Invocation.USAGE);
        assertThat(printed()).startsWith("serval: There is no password: ");
        assertThat(run("\n", "user", "add", file, "ada")).isEqualTo(Invocation.USAGE);
        assertThat(printed()).startsWith("serval: A password has 1 to 1024 characters");
        assertThat(Path.of(file)).doesNotExist();
    }

    @Test
    void showsHelp() {
        assertThat(run("", "user", "--help")).isZero();
        assertThat(printed()).contains("serval user add users.txt ada", "remove", "list");
        assertThat(run("", "user", "add", "--help")).isZero();
        assertThat(printed()).contains("--roles", "--realm");
        assertThat(run("", "--help")).isZero();
        assertThat(printed()).contains("user");
    }

    @Test
    void runTakesAFileOfUsers() {
        Path file = folder.resolve("users.txt");
        Invocation run = CommandLines.read("run", "--users", file.toString());
        assertThat(CommandLines.options(run).apps().users()).isEqualTo(file);
    }
}
