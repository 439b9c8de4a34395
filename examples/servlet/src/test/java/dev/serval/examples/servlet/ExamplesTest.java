package dev.serval.examples.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Serval;
import dev.serval.servlet.ServletContainer;
import dev.serval.testkit.RawClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Starts each example and sends requests.
@Timeout(60)
final class ExamplesTest {
    private static final Path SOURCES = Path.of("src/main/java/dev/serval/examples/servlet");

    @TempDir private Path folder;

    private ServletContainer container() throws IOException {
        return ServletContainer.open(folder.resolve("work"));
    }

    private static String get(Serval server, String target) {
        return RawClient.get(server.addresses().getFirst(), target).text();
    }

    @Test
    void servletAnswersWithoutWar() throws Exception {
        try (ServletContainer container = container();
                Serval server = HelloServlet.start(0, container)) {
            assertThat(get(server, "/app/hello?name=Ada")).isEqualTo("Hello Ada");
        }
    }

    @Test
    void warIsServedAtThePathOfItsName() throws Exception {
        Path war = folder.resolve("shop.war");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
            zip.putNextEntry(new ZipEntry("index.html"));
            zip.write("<h1>Shop</h1>".getBytes(StandardCharsets.UTF_8));
            zip.closeEntry();
        }
        try (ServletContainer container = container();
                Serval server = MountedWar.start(0, container, war)) {
            assertThat(get(server, "/shop/")).isEqualTo("<h1>Shop</h1>");
        }
    }

    /// Counts the lines of code from the first member to the end of `start`, without blank lines,
    /// annotations and the constant that serialization wants.
    @ParameterizedTest
    @CsvSource({"HelloServlet, 10", "MountedWar, 5"})
    void examplesStayShort(String name, int linesMax) throws IOException {
        String text = Files.readString(SOURCES.resolve(name + ".java"));
        long lines =
                text.substring(text.indexOf("public final class"))
                        .lines()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty() && !line.equals("}"))
                        .filter(line -> !line.startsWith("@") && !line.startsWith("private"))
                        .count();
        assertThat(lines).isLessThanOrEqualTo(linesMax);
    }
}
