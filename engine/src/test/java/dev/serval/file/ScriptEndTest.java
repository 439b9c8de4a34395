package dev.serval.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The script that a path begins with.
final class ScriptEndTest {
    private static final byte[] PHP = bytes(".php");

    private final FaultyDisk disk = new FaultyDisk();
    @TempDir private Path root;
    private FileHandler handler;

    @BeforeEach
    void makeSite() throws IOException {
        Files.createDirectories(root.resolve("folder.php/sub"));
        Files.createDirectory(root.resolve("WEB-INF"));
        for (String name :
                new String[] {
                    "index.php", "style.css", "folder.php/sub/in.php", "WEB-INF/x.php", ".php"
                }) {
            Files.writeString(root.resolve(name), "");
        }
        handler = new FileHandler(disk.on(root), FileOptions.DEFAULT, LaterClock.LATER);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private String script(String path) throws IOException {
        int end = handler.scriptEnd(bytes(path), PHP);
        return end < 0 ? "none" : path.substring(0, end);
    }

    @ParameterizedTest
    @CsvSource({
        "/index.php, /index.php",
        "/index.php/, /index.php",
        "/index.php/info, /index.php",
        "/index.php/x.php, /index.php",
        "/index.php/WEB-INF/x, /index.php",
        "/folder.php/sub/in.php/info, /folder.php/sub/in.php",
        "/folder.php, none",
        "/folder.php/, none",
        "/folder.php/none.php, none",
        "/index.phpx, none",
        "/style.css, none",
        "/style.css/index.php, none",
        "/none.php/index.php, none",
        "/WEB-INF/x.php, none",
        "/.php, none",
        "/, none",
        "'', none",
    })
    void firstFileWithTheExtensionIsTheScript(String path, String script) throws IOException {
        assertThat(script(path)).isEqualTo(script);
    }

    /// A client may send a path of a thousand such names.
    @ParameterizedTest
    @CsvSource({"/none.php", "/style.css/a.php", "/WEB-INF/x.php"})
    void nothingIsLookedForBelowANameThatIsNoFolder(String path) throws IOException {
        assertThat(script(path)).isEqualTo("none");
        int before = disk.attributesRead();
        assertThat(script(path)).isEqualTo("none");
        int once = disk.attributesRead() - before;
        assertThat(script(path + "/a.php".repeat(100))).isEqualTo("none");
        assertThat(disk.attributesRead() - before).isEqualTo(2 * once);
    }

    @Test
    void oneFileHasNoScriptsBelowIt() throws IOException {
        Path file = root.resolve("index.php");
        FileHandler one = new FileHandler(file, FileOptions.DEFAULT, LaterClock.LATER);
        assertThat(one.scriptEnd(bytes("/index.php"), PHP)).isEqualTo(-1);
    }
}
