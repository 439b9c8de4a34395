package dev.serval.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.policy.Limits;
import dev.serval.settings.Mount;
import dev.serval.settings.NeighbourMount;
import dev.serval.settings.Place;
import dev.serval.settings.RunOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NeighbourArgumentsTest {
    @TempDir Path folder;

    @Test
    void readsNeighboursBesideFolders() {
        RunOptions options =
                options(
                        "run",
                        folder.toString(),
                        "/api/=http://127.0.0.1:9000,127.0.0.1:9001?check=/h",
                        "/php=fastcgi://unix:/run/php.sock?root=" + folder,
                        "/old=scgi://127.0.0.1:4000");
        assertThat(options.served().mounts()).extracting(Mount::prefix).containsExactly("/");
        assertThat(options.served().neighbours())
                .extracting(mount -> mount.place().toString())
                .containsExactly("/api", "/php", "/old");
        assertThat(options.served().neighbours().getFirst().neighbour().addresses()).hasSize(2);
    }

    @Test
    void neighbourWithoutPrefixIsAtTheRoot() {
        RunOptions options = options("run", "http://127.0.0.1:9000?check=/h");
        assertThat(options.served().mounts()).isEmpty();
        assertThat(options.served().neighbours())
                .extracting(NeighbourMount::place)
                .containsExactly(Place.at("/"));
    }

    @ParameterizedTest
    @CsvSource({"500, 500", "3k, 3072", "200m, 209715200", "10M, 10485760", "2g, 2147483648"})
    void readsTheMostContent(String text, long bytes) {
        assertThat(options("run", "--max-content", text).engine().limits().content().maxBytes())
                .isEqualTo(bytes);
        assertThat(options("run").engine().limits().content().maxBytes()).isEqualTo(10 << 20);
    }

    /// An option overrides the file, also for a listener with limits of its own.
    @Test
    void mostContentHoldsForEachListener() throws IOException {
        Path file = folder.resolve("own.toml");
        Files.writeString(
                file,
                """
                [[listener]]
                address = "8081"
                limits = { content = "1k", idle-time = "9s" }
                """);
        assertThat(own("run", "--config", file.toString(), "--max-content", "3k"))
                .isEqualTo(
                        own("run", "--config", file.toString())
                                .with(draft -> draft.content.maxBytes = 3 << 10));
        assertThat(own("run", "--config", file.toString()).content().maxBytes()).isEqualTo(1 << 10);
    }

    private static Limits own(String... arguments) {
        return Objects.requireNonNull(options(arguments).engine().listeners().getFirst().limits());
    }

    @Test
    void saysWhatIsPossible() {
        assertThat(refused("run", "/api=https://127.0.0.1?tls-authorities=/none.pem"))
                .contains("/none.pem");
        assertThat(refused("run", "/api=http://127.0.0.1:1?retry=3")).contains("possible are path");
        assertThat(refused("run", "/a%=http://127.0.0.1:1")).contains("no prefix can have");
        assertThat(refused("run", "/a=127.0.0.1:9000")).contains("write http://127.0.0.1:9000");
        assertThat(refused("run", "/a=unix:/run/a.sock")).contains("http://unix:/run/a.sock");
        assertThat(refused("run", "/a=ws://127.0.0.1:1")).contains("https:// (also for WebSocket)");
        assertThat(refused("run", folder.toString(), "http://127.0.0.1:1"))
                .contains("something else is served");
        assertThat(refused("run", "/a=http://127.0.0.1:1", "/a=scgi://127.0.0.1:2"))
                .contains("something else is served");
        assertThat(refused("run", "--max-content", "much")).contains("takes a size such as 500k");
    }

    private static RunOptions options(String... arguments) {
        Invocation invocation = CommandLines.read(arguments);
        return CommandLines.options(invocation);
    }

    private static String refused(String... arguments) {
        Invocation invocation = CommandLines.read(arguments);
        assertThat(invocation).isInstanceOf(Invocation.Refuse.class);
        return invocation.toString();
    }
}
