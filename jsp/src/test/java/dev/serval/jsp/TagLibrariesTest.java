package dev.serval.jsp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.servlet.pages.PageException;
import dev.serval.servlet.pages.PageSetup;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Where tag library descriptors are looked for (Pages 4.0 §7.3.1), and how many.
final class TagLibrariesTest {
    @TempDir private Path outer;

    private Path root() {
        return outer.resolve("app");
    }

    private static String tld(String listener) {
        return "<taglib><listener><listener-class> "
                + listener
                + " </listener-class></listener></taglib>";
    }

    private Path file(String path, String text) throws IOException {
        Path file = root().resolve(path);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        return Files.writeString(file, text);
    }

    private Path jar(String name, String entry, String text) throws IOException {
        Path jar = file("WEB-INF/lib/" + name, "");
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry(entry));
            zip.write(text.getBytes(StandardCharsets.UTF_8));
            zip.closeEntry();
        }
        return jar;
    }

    private List<String> listeners(PageLimits limits, List<Path> jars, String... taglibs)
            throws PageException {
        PageSetup base = PageStoreTest.app(root(), "key");
        PageSetup setup =
                new PageSetup(
                        base.name(),
                        base.loader(),
                        root(),
                        jars,
                        List.of(taglibs),
                        List.of(),
                        root(),
                        "key",
                        false,
                        base.components(),
                        base.guard(),
                        base.log());
        return TagLibraries.listeners(setup, limits);
    }

    @Test
    void looksWhereTheSpecificationSays() throws Exception {
        file("WEB-INF/a.tld", tld("a"));
        file("WEB-INF/sub/b.tld", tld("b"));
        file("WEB-INF/tags/implicit.tld", tld("c"));
        file("WEB-INF/tags/other.tld", tld("not in tags"));
        file("WEB-INF/classes/d.tld", tld("not in classes"));
        file("WEB-INF/lib/e.tld", tld("not in lib"));
        file("f.tld", tld("not outside of WEB-INF"));
        List<Path> jars =
                List.of(
                        jar("g.jar", "META-INF/sub/g.tld", tld("g")),
                        jar("h.jar", "h.tld", tld("not outside of META-INF")));
        assertThat(listeners(PageLimits.DEFAULT, jars)).containsExactly("a", "b", "c", "g");
    }

    @Test
    void readsWhatWebXmlNamesOnce() throws Exception {
        file("named.tld", tld("named"));
        file("WEB-INF/a.tld", tld("a"));
        Files.writeString(outer.resolve("secret.tld"), tld("outside of the application"));
        assertThat(
                        listeners(
                                PageLimits.DEFAULT,
                                List.of(),
                                "/named.tld",
                                "a.tld",
                                "/../secret.tld",
                                "/WEB-INF/../../secret.tld",
                                "/missing.tld"))
                .containsExactly("named", "a");
    }

    @Test
    void sizeAndNumberAreBounded() throws Exception {
        String text = tld("a");
        file("WEB-INF/a.tld", text);
        file("WEB-INF/b.tld", "<taglib/>");
        PageLimits exact = new PageLimits(text.length(), 2, 1, 1);
        assertThat(listeners(exact, List.of())).containsExactly("a");
        assertThatThrownBy(() -> listeners(new PageLimits(text.length() - 1, 2, 1, 1), List.of()))
                .isInstanceOf(PageException.class)
                .hasMessageContaining("WEB-INF/a.tld: the tag library descriptor has more than");
        assertThatThrownBy(() -> listeners(new PageLimits(text.length(), 1, 1, 1), List.of()))
                .isInstanceOf(PageException.class)
                .hasMessageContaining("WEB-INF/b.tld: the application has more than 1");
    }
}
