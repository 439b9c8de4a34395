package dev.serval.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.serval.handler.RecordingExchange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LinksTest {
    private static final int NOBODY = 65_534;

    @TempDir private Path folder;
    private Path root;

    @BeforeEach
    void makeSite() throws IOException {
        root = Files.createDirectory(folder.resolve("site"));
        Files.createDirectories(root.resolve("a/b"));
        Files.writeString(root.resolve("a/b/c.txt"), "inside");
        Files.write(root.resolve("a/b/large.bin"), new byte[100_000]);
        Files.writeString(Files.createDirectory(folder.resolve("out")).resolve("o.txt"), "outside");
        link("file.txt", "a/b/c.txt");
        link("folder", "a");
        link("a/up", "..");
        link("away", folder.resolve("out").toString());
        link("twice", "away/o.txt");
    }

    private void link(String name, String to) throws IOException {
        Files.createSymbolicLink(root.resolve(name), Path.of(to));
    }

    private String get(Links links, String path) {
        RecordingExchange x = RecordingExchange.get(path).by(handler(links));
        return x.passed() ? "passed" : x.status() == 200 ? x.contentText() : "" + x.status();
    }

    private FileHandler handler(Links links) {
        return new FileHandler(
                root, FileOptions.DEFAULT.with(draft -> draft.links = links), LaterClock.LATER);
    }

    @Test
    void neverFollowsALink() {
        assertThat(get(Links.NEVER, "/a/b/c.txt")).isEqualTo("inside");
        assertThat(get(Links.NEVER, "/a/b/large.bin")).hasSize(100_000);
        for (String path :
                List.of("/file.txt", "/folder/b/c.txt", "/a/up/a/b/c.txt", "/away/o.txt")) {
            assertThat(get(Links.NEVER, path)).as(path).isEqualTo("passed");
        }
    }

    @Test
    void servesARootThatIsALinkItself() throws IOException {
        Path linked = Files.createSymbolicLink(folder.resolve("linked"), root);
        for (Links links : Links.values()) {
            FileHandler other =
                    new FileHandler(
                            linked,
                            FileOptions.DEFAULT.with(draft -> draft.links = links),
                            LaterClock.LATER);
            assertThat(RecordingExchange.get("/a/b/c.txt").by(other).contentText())
                    .as(links.name())
                    .isEqualTo("inside");
        }
    }

    /// A look follows the links of the root first, and then those of the file.
    @Test
    void servesWhileADeploymentSwapsTheLinkOfTheRoot() throws IOException {
        Path next = Files.createDirectories(folder.resolve("next/a/b"));
        Files.writeString(next.resolve("c.txt"), "next");
        Path linked = Files.createSymbolicLink(folder.resolve("linked"), root);
        FaultyDisk disk = new FaultyDisk();
        disk.onLook(2, () -> swap(linked, folder.resolve("next")));
        FileHandler handler =
                new FileHandler(
                        disk.on(linked),
                        FileOptions.DEFAULT.with(draft -> draft.links = Links.INSIDE),
                        LaterClock.LATER);
        assertThat(RecordingExchange.get("/a/b/c.txt").by(handler).contentText()).isEqualTo("next");
    }

    private void swap(Path link, Path to) {
        try {
            Path beside = Files.createSymbolicLink(folder.resolve("beside"), to);
            Files.move(beside, link, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void followsLinksOfTheSameOwner() {
        for (String path : List.of("/file.txt", "/folder/b/c.txt", "/a/up/a/b/c.txt")) {
            assertThat(get(Links.OWNER, path)).as(path).isEqualTo("inside");
        }
        assertThat(get(Links.OWNER, "/away/o.txt")).isEqualTo("outside");
        assertThat(get(Links.OWNER, "/twice")).isEqualTo("outside");
        assertThat(get(Links.FOLLOW, "/twice")).isEqualTo("outside");
        assertThat(get(Links.INSIDE, "/twice")).isEqualTo("passed");
    }

    @Test
    void doesNotFollowLinksOfOthers() throws IOException {
        own(root.resolve("file.txt"));
        own(root.resolve("folder"));
        own(root.resolve("away"));
        for (String path : List.of("/file.txt", "/folder/b/c.txt", "/away/o.txt", "/twice")) {
            assertThat(get(Links.OWNER, path)).as(path).isEqualTo("passed");
        }
        own(root.resolve("a/b/c.txt"));
        assertThat(get(Links.OWNER, "/file.txt")).as("their own file").isEqualTo("inside");
        own(folder.resolve("out"));
        assertThat(get(Links.OWNER, "/away/o.txt")).as("their own folder").isEqualTo("outside");
        assertThat(get(Links.OWNER, "/twice")).as("each link its own").isEqualTo("outside");
        own(folder.resolve("out/o.txt"));
        assertThat(get(Links.OWNER, "/twice")).as("the file of another").isEqualTo("passed");
        assertThat(get(Links.OWNER, "/away/o.txt")).as("no link leads to it").isEqualTo("outside");
    }

    private static void own(Path path) throws IOException {
        boolean root = "root".equals(System.getProperty("user.name"));
        assumeTrue(root, "needs the rights of root, to give files to another user");
        Files.setAttribute(path, "unix:uid", NOBODY, LinkOption.NOFOLLOW_LINKS);
    }

    @Test
    void endsInCircles() throws IOException {
        link("circle", "circle");
        link("x", "y");
        link("y", "x");
        for (Links links : Links.values()) {
            assertThat(get(links, "/circle")).isEqualTo("passed");
            assertThat(get(links, "/x/z")).isEqualTo("passed");
        }
    }

    @Test
    void servesNoFileThroughALinkThatReplacesAFolderMeanwhile() throws Exception {
        Path other = Files.createDirectory(folder.resolve("secret"));
        Files.writeString(other.resolve("c.txt"), "secret");
        Path real = root.resolve("race");
        Files.createDirectory(real);
        Files.writeString(real.resolve("c.txt"), "inside");
        LinkCheck check = new LinkCheck(root, false, Links.NEVER, LaterClock.LATER);
        Path checked = real.resolve("c.txt");
        assertThat(check.allows(checked, root.toRealPath(), checked.toRealPath())).isTrue();
        Path open = checked.toRealPath();

        Files.move(real, folder.resolve("moved"), StandardCopyOption.ATOMIC_MOVE);
        Files.createSymbolicLink(real, other);

        AtomicBoolean opened = new AtomicBoolean();
        try (var file = check.open(open)) {
            opened.set(file.isOpen());
        } catch (IOException e) {
            assertThat(opened).isFalse();
        }
        assertThat(opened).isFalse();
        assertThat(get(Links.NEVER, "/race/c.txt")).isEqualTo("passed");
    }
}
