package dev.serval.servlet.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.servlet.descriptor.DescriptorException;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.HandlesTypes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Finding and calling initializers (Servlet 6.1 §8.2.4).
final class InitializersTest {
    private static final String SERVICE =
            "META-INF/services/jakarta.servlet.ServletContainerInitializer";

    @TempDir Path folder;
    private final TestApp app = new TestApp();
    private final List<String> calls = new ArrayList<>();

    private static void note(ServletContext context, String call) {
        @SuppressWarnings("unchecked") // the test sets it
        List<String> calls = (List<String>) context.getAttribute("calls");
        calls.add(call);
    }

    private static String names(@Nullable Set<Class<?>> classes) {
        return classes == null
                ? "null"
                : classes.stream().map(Class::getSimpleName).toList().toString();
    }

    static final class First implements ServletContainerInitializer {
        public First() {}

        @Override
        public void onStartup(@Nullable Set<Class<?>> classes, ServletContext context) {
            note(context, "First " + names(classes));
        }
    }

    @HandlesTypes({Runnable.class, Servlet.class})
    static final class Second implements ServletContainerInitializer {
        public Second() {}

        @Override
        public void onStartup(@Nullable Set<Class<?>> classes, ServletContext context) {
            note(context, "Second " + names(classes));
        }
    }

    static final class Failing implements ServletContainerInitializer {
        public Failing() {}

        @Override
        public void onStartup(@Nullable Set<Class<?>> classes, ServletContext context)
                throws ServletException {
            throw new ServletException("no luck");
        }
    }

    private Path jar(String name, String services) throws IOException {
        Path jar = folder.resolve(name);
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.putNextEntry(new ZipEntry(SERVICE));
            zip.write(services.getBytes(StandardCharsets.UTF_8));
        }
        return jar;
    }

    private void start() throws DescriptorException {
        app.context().setAttribute("calls", calls);
        app.start();
    }

    @Test
    void callsTheServersOwnThenThoseOfTheJarsInOrder() throws Exception {
        Path classes = folder.resolve("classes");
        Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(classes.resolve(SERVICE), First.class.getName());
        app.initializers.add(TestApp.Script.class);
        app.context().setAttribute("script", (TestApp.Step) context -> note(context, "Script"));
        app.sources.add(folder.resolve("classes"));
        app.sources.add(jar("a.jar", "# none of mine\n\n"));
        app.sources.add(
                jar(
                        "b.jar",
                        "  "
                                + Second.class.getName()
                                + " # mine\r\n"
                                + First.class.getName()
                                + "\n"
                                + Second.class.getName()));
        start();
        assertThat(calls).containsExactly("Script", "First null", "Second null");
    }

    @Test
    void givesTheClassesThatAreAskedFor() throws Exception {
        app.sources.add(jar("a.jar", Second.class.getName()));
        List<Set<Class<?>>> asked = new ArrayList<>();
        app.handled =
                types -> {
                    asked.add(Set.of(types));
                    Set<String> found = new LinkedHashSet<>();
                    found.add(First.class.getName());
                    found.add("com.example.Missing");
                    found.add(Failing.class.getName());
                    return found;
                };
        start();
        assertThat(asked).containsExactly(Set.of(Runnable.class, Servlet.class));
        assertThat(calls).containsExactly("Second [First, Failing]");
        assertThat(app.log.messages).singleElement().asString().contains("com.example.Missing");
    }

    @Test
    void noClassThatCanBeLoadedIsNull() throws Exception {
        app.sources.add(jar("a.jar", Second.class.getName()));
        app.handled = types -> Set.of("com.example.Missing");
        start();
        assertThat(calls).containsExactly("Second null");
    }

    @Test
    void faultsNameTheFileAndLine() throws Exception {
        app.sources.add(jar("bad.jar", "\n" + Failing.class.getName()));
        assertThatThrownBy(this::start)
                .isInstanceOf(DescriptorException.class)
                .hasMessageStartingWith("bad.jar!/" + SERVICE + ":2: ")
                .hasMessageContaining("no luck");
    }

    @Test
    void missingAndWrongClassesAreRefused() throws Exception {
        app.sources.add(jar("a.jar", "com.example.Missing"));
        assertThatThrownBy(this::start)
                .isInstanceOf(DescriptorException.class)
                .hasMessageContaining("a.jar!/" + SERVICE + ":1")
                .hasMessageContaining("com.example.Missing is missing");
        TestApp other = new TestApp();
        other.sources.add(jar("b.jar", "java.lang.String"));
        assertThatThrownBy(other::start)
                .isInstanceOf(DescriptorException.class)
                .hasMessageContaining("java.lang.String is not a");
    }

    @Test
    void unreadableJarsAreRefused() throws Exception {
        Path broken = Files.writeString(folder.resolve("c.jar"), "no zip");
        app.sources.add(broken);
        assertThatThrownBy(this::start)
                .isInstanceOf(DescriptorException.class)
                .hasMessageContaining("c.jar");
    }

    @Test
    void longFilesOfServicesAreRefused() throws Exception {
        String limit = "#".repeat(64 * 1024);
        app.sources.add(jar("limit.jar", limit));
        start();
        TestApp over = new TestApp();
        over.sources.add(jar("over.jar", limit + "#"));
        assertThatThrownBy(over::start)
                .isInstanceOf(DescriptorException.class)
                .hasMessageContaining("65536 bytes");
    }
}
