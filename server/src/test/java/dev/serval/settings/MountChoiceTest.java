package dev.serval.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MountChoiceTest {
    @TempDir private Path folder;

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectory(folder.resolve("site"));
    }

    private MountChoice choice(String text) throws IOException {
        return new WrittenFile(folder).right(text).served();
    }

    private static String folderAt(String path) {
        return "[[mount]]\nat = '" + path + "'\nfolder = 'site'\n";
    }

    private static String proxyAt(String path) {
        return "[[mount]]\nat = '" + path + "'\nproxy = 'http://127.0.0.1:9'\n";
    }

    private static String redirectAt(String path) {
        return "[[mount]]\nat = '" + path + "'\nredirect = 'http://x.example/'\n";
    }

    /// Each kind of mount takes the place of each.
    @Test
    void takesThePlaceOfWhatIsServedThere() throws IOException {
        MountChoice file =
                choice(
                        folderAt("/a")
                                + proxyAt("/b")
                                + redirectAt("/c")
                                + folderAt("/d")
                                + proxyAt("/e")
                                + redirectAt("/f"));
        MountChoice over = choice(redirectAt("/a") + folderAt("/b") + proxyAt("/c"));
        MountChoice both = file.overriddenBy(over);
        assertThat(both.mounts()).extracting(Mount::prefix).containsExactlyInAnyOrder("/b", "/d");
        assertThat(both.neighbours())
                .extracting(mount -> mount.place().prefix())
                .containsExactlyInAnyOrder("/c", "/e");
        assertThat(both.rules()).containsOnlyKeys(Place.at("/a"), Place.at("/f"));
    }

    @Test
    void filesOfAnApplicationInPlaceOfAnotherAreAsThoseOfAllOthers() throws IOException {
        Files.createDirectories(folder.resolve("shop/WEB-INF"));
        String app = "[[mount]]\nat = '/a'\napp = 'shop'\n";
        MountChoice file = choice("files.cache-size = '1m'\n" + app + "files.cache-size = '2m'\n");
        assertThat(file.appFiles().at(Place.at("/a")).cacheMaxBytes()).isEqualTo(2 << 20);
        MountChoice.AppFiles both = file.overriddenBy(choice(app)).appFiles();
        assertThat(both.at(Place.at("/a")).cacheMaxBytes()).isEqualTo(1 << 20);
    }

    /// For people: first what is on no host, then by host and path.
    @Test
    void placesAreInTheOrderOfHostsAndPaths() {
        assertThat(
                        Stream.of(
                                        new Place("b.example", "/"),
                                        Place.at("/z"),
                                        new Place("a.example", "/y"),
                                        new Place("a.example", "/"),
                                        Place.at("/"))
                                .sorted()
                                .map(Place::toString))
                .isEqualTo(List.of("/", "/z", "a.example/", "a.example/y", "b.example/"));
    }
}
