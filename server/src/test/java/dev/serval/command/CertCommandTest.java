package dev.serval.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.tls.Credential;
import dev.serval.tls.CredentialCheck;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateParsingException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CertCommandTest {
    @TempDir Path folder;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void makesAPairThatAServerCanUse() throws IOException, CertificateParsingException {
        assertThat(make(List.of("shop.test", "*.shop.test", "10.0.0.7", "localhost"))).isZero();
        Path key = folder.resolve("key.pem");
        Credential made = Credential.pem(folder.resolve("cert.pem"), key);
        assertThat(made.certificate().getSubjectAlternativeNames().stream().map(n -> n.get(1)))
                .isEqualTo(
                        List.of(
                                "localhost",
                                "127.0.0.1",
                                "0:0:0:0:0:0:0:1",
                                "shop.test",
                                "*.shop.test",
                                "10.0.0.7"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
        assertThat(CredentialCheck.warnings(made, Instant.now().plus(Duration.ofMinutes(1))))
                .isEmpty();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("Made cert.pem and key.pem, for localhost, 127.0.0.1, ::1, shop.test")
                .endsWith("Try it: serval run --tls cert.pem,key.pem\n");
    }

    @Test
    void replacesNoFile() throws IOException {
        for (String name : List.of("cert.pem", "key.pem")) {
            Path file = Files.writeString(folder.resolve(name), "mine");
            assertThat(make(List.of())).isEqualTo(Invocation.ENVIRONMENT);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .isEqualTo(
                            "serval: "
                                    + file
                                    + " exists: remove it first, or go to another folder.\n");
            assertThat(file).hasContent("mine");
            Files.delete(file);
            assertThat(folder).isEmptyDirectory();
        }
    }

    @Test
    void tellsThatTheFolderCannotBeWritten() {
        folder = folder.resolve("missing");
        assertThat(make(List.of())).isEqualTo(Invocation.ENVIRONMENT);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo(
                        "serval: "
                                + folder.resolve("key.pem")
                                + " cannot be written: its folder does not exist, or this user may not"
                                + " write there.\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    cert             | serval cert needs the word dev: see serval cert --help.
                    cert dev a,b     | "a,b" is no name of a host: it must be such as example.test,
                    cert dev -- -x   | "-x" is no name of a host: it must be such as example.test,
                    """)
    void wrongUseGetsASentence(String line, String message) {
        Invocation read = CommandLines.read(line.split(" ", -1));
        assertThat(read.carryOut(print(out), print(err))).isEqualTo(Invocation.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("serval: " + message);
    }

    private int make(List<String> names) {
        out.reset();
        err.reset();
        return new CertCommand(names).carryOut(folder, print(out), print(err));
    }

    private static PrintStream print(ByteArrayOutputStream into) {
        return new PrintStream(into, true, StandardCharsets.UTF_8);
    }
}
