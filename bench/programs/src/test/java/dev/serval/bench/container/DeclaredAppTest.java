package dev.serval.bench.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.war.Burn;
import dev.serval.bench.war.ItemServlet;
import jakarta.servlet.Servlet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DeclaredAppTest {
    /// The suite has the same classes, but not the libraries that they need.
    @Test
    void servletsAreLoadedFromTheApplication(@TempDir Path folder) throws Exception {
        Path classes = folder.resolve("WEB-INF/classes");
        for (Map.Entry<String, byte[]> one : PackageClasses.of(Burn.class).entrySet()) {
            Path file = classes.resolve(one.getKey());
            Files.createDirectories(file.getParent());
            Files.write(file, one.getValue());
        }
        DeclaredApp app = DeclaredApp.of(folder);
        assertThat(own(app))
                .isNotEmpty()
                .allMatch(type -> app.loader().equals(type.getClassLoader()));
        assertThat(own(app)).anyMatch(type -> type.getName().equals(ItemServlet.class.getName()));
        assertThat(app.loader().loadClass(Servlet.class.getName())).isEqualTo(Servlet.class);
    }

    @Test
    void applicationOfTheSuiteIsUsedWithoutAFolder(@TempDir Path folder) throws Exception {
        assertThat(own(DeclaredApp.of(folder))).contains(ItemServlet.class);
    }

    /// Returns the servlets without that of JSP pages, which the suite has.
    private static List<Class<? extends Servlet>> own(DeclaredApp app) {
        String start = Burn.class.getPackageName() + ".";
        return app.servlets().stream()
                .<Class<? extends Servlet>>map(DeclaredApp.Part::type)
                .filter(type -> type.getName().startsWith(start))
                .toList();
    }
}
