package dev.serval.bench.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.bench.peer.BenchFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ShopWarTest {
    @TempDir Path folder;

    private Path war(String... names) throws IOException {
        Path war = folder.resolve("a.war");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
            for (String name : names) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(1);
                zip.closeEntry();
            }
        }
        return war;
    }

    @Test
    void unpacksFilesAndFolders() throws IOException {
        ShopWar.unpack(war("WEB-INF/", "WEB-INF/web.xml", "a.css"), folder.resolve("app"));
        assertThat(folder.resolve("app/WEB-INF/web.xml")).hasSize(1);
        assertThat(folder.resolve("app/a.css")).exists();
    }

    @Test
    void refusesAFileOutside() {
        assertThatThrownBy(() -> ShopWar.unpack(war("../b"), folder.resolve("app")))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining("../b");
        assertThat(folder.resolve("b")).doesNotExist();
    }

    @Test
    void saysWhatIsMissing() {
        Path none = folder.resolve("none.war");
        assertThatThrownBy(() -> ShopWar.unpack(none, folder.resolve("app")))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining("mvn package");
    }
}
