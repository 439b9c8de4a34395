package dev.serval.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.lrwp.LrwpSettings;
import dev.serval.settings.Complaints;
import dev.serval.settings.LrwpChoice;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

final class LrwpSyntaxTest {
    @TempDir Path folder;
    private final List<String> problems = new ArrayList<>();

    @Test
    void isOffByDefault() {
        assertThat(read()).isEqualTo(LrwpChoice.NONE);
        assertThat(problems).isEmpty();
    }

    @Test
    void listensOnLoopbackUnlessAnAddressIsGiven() {
        LrwpChoice choice =
                read(
                        "--lrwp",
                        "1081",
                        "--lrwp",
                        "[::1]:1082",
                        "--lrwp",
                        "unix:/run/x",
                        "--lrwp",
                        "0.0.0.0:1083",
                        "--lrwp-allow",
                        "osp");
        assertThat(problems).isEmpty();
        assertThat(choice.addresses())
                .containsExactly(
                        at("127.0.0.1", 1081),
                        at("::1", 1082),
                        UnixDomainSocketAddress.of("/run/x"),
                        at("0.0.0.0", 1083));
        assertThat(settings(choice).allowed().names()).containsExactly("osp");
    }

    @Test
    void allowsAnyNameOnLoopback() {
        assertThat(settings(read("--lrwp", "1081")).allowed().allowsAll()).isTrue();
    }

    @Test
    void readsPassphrasesFromFiles() throws IOException {
        Path file = Files.writeString(folder.resolve("pass"), "open sesame\nmore\n");
        LrwpChoice choice = read("--lrwp", "0", "--lrwp-allow", "a=" + file, "--lrwp-allow", "b");
        assertThat(problems).isEmpty();
        assertThat(settings(choice).allowed().names()).containsExactlyInAnyOrder("a", "b");
        Files.writeString(file, "\n");
        read("--lrwp", "0", "--lrwp-allow", "a=" + file);
        read("--lrwp", "0", "--lrwp-allow", "a=" + folder.resolve("none"));
        assertThat(problems)
                .hasSize(2)
                .anyMatch(one -> one.contains("must have 1 to 1024 bytes"))
                .anyMatch(one -> one.contains("cannot be read"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ';',
            value = {
                "--lrwp x; takes a port from 0 to 65535",
                "--lrwp 65536; takes a port from 0 to 65535",
                "--lrwp ::1:1081; takes a port from 0 to 65535",
                "--lrwp :1081; takes a port from 0 to 65535",
                "--lrwp 127.0.0.1:; takes a port from 0 to 65535",
                "--lrwp unix:; takes the path of the socket's file",
                "--lrwp 0.0.0.0:1081; lets other machines register",
                "--lrwp 1 --lrwp 1; is given twice",
                "--lrwp-allow a; has no effect without --lrwp",
                "--lrwp 1 --lrwp-allow =f; takes the name that a peer registers",
                "--lrwp 1 --lrwp-allow a --lrwp-allow a; is given twice",
                "--lrwp 1 --lrwp-allow Osp --lrwp-allow osp; --lrwp-allow osp is given twice",
                "--lrwp 1 --lrwp-allow osp --lrwp-allow /OSP; is given twice",
            })
    void saysWhatIsWrong(String arguments, String sentence) {
        read(arguments.split(" ", -1));
        assertThat(problems).singleElement().asString().contains(sentence).endsWith(".");
    }

    private LrwpChoice read(String... arguments) {
        CommandSpec spec = CommandSpec.create();
        LrwpSyntax.addTo(spec);
        return LrwpSyntax.read(
                new CommandLine(spec).parseArgs(arguments),
                LrwpChoice.NONE,
                new Complaints() {
                    @Override
                    public void usage(String sentence) {
                        problems.add(sentence);
                    }

                    @Override
                    public void environment(String sentence) {
                        problems.add(sentence);
                    }
                });
    }

    private static LrwpSettings settings(LrwpChoice choice) {
        @Nullable LrwpSettings settings = choice.settings();
        if (settings == null) {
            throw new AssertionError("There are no settings");
        }
        return settings;
    }

    private static InetSocketAddress at(String host, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(host), port);
    }
}
