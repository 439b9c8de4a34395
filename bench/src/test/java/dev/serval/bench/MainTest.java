package dev.serval.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.bench.load.Settings;
import dev.serval.bench.peer.BenchFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void listsScenariosAndCells() throws IOException, InterruptedException {
        assertThat(run("--list")).isZero();
        assertThat(text(out))
                .contains("static ")
                .contains("  pipelined ")
                .contains("  beside-spin ")
                .contains("servlet ")
                .contains("  connection-per-request ")
                .contains("lrwp ")
                .contains("  osp-1 ")
                .contains("micro ");
        assertThat(run("static", "--list")).isZero();
    }

    @Test
    void printsUsageWithoutArguments() throws IOException, InterruptedException {
        assertThat(run()).isZero();
        assertThat(text(out)).contains("serval bench NAME");
    }

    @Test
    void unknownNameListsKnownNames() throws IOException, InterruptedException {
        assertThat(run("statik")).isEqualTo(2);
        assertThat(run("static", "--cells", "4k")).isEqualTo(2);
        assertThat(run("static", "--peers", "iis")).isEqualTo(2);
        assertThat(run("static", "--xitami", "/xitami")).isEqualTo(2);
        assertThat(text(err))
                .contains("no scenario 'statik'; there are: static, workers, servlet")
                .contains("no cell '4k'; there are: 4k-keep-alive, ")
                .contains("no peer 'iis'; there are: serval, ")
                .contains("--xitami is an option of scenario lrwp only");
    }

    @Test
    void readsOptionsInAnyOrder() {
        Options options =
                Options.parse(List.of("--rounds", "7", "--out", "x", "--quick", "--cells", "a,b"));
        assertThat(options.settings()).isEqualTo(Settings.QUICK.withRounds(7));
        assertThat(options.out()).isEqualTo(Path.of("x"));
        assertThat(options.cells()).containsExactly("a", "b");
        assertThat(Options.parse(List.of()).settings()).isEqualTo(Settings.FULL);
        assertThat(Options.parse(List.of("--xitami", "x")).xitami()).isEqualTo(Path.of("x"));
    }

    @Test
    void splitsOptionsOfTheJvm() {
        Options options = Options.parse(List.of("--jvm", "-Xmx64m  -XX:+UseSerialGC"));
        assertThat(options.jvmOptions()).containsExactly("-Xmx64m", "-XX:+UseSerialGC");
    }

    @Test
    void rejectsInvalidOptions() {
        assertRefused("unknown option --fast", "--fast");
        assertRefused("--rounds needs a value", "--rounds");
        assertRefused("--seconds needs a positive number, not '0'", "--seconds", "0");
    }

    private static void assertRefused(String message, String... arguments) {
        assertThatThrownBy(() -> Options.parse(List.of(arguments)))
                .isInstanceOf(BenchFailure.class)
                .hasMessage(message);
    }

    private int run(String... arguments) throws IOException, InterruptedException {
        return new Main(stream(out), stream(err)).run(List.of(arguments));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
