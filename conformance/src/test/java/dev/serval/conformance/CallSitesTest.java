package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Exchange;
import dev.serval.servlet.ServletContainer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Checks that no request links a `switch` over types. The JVM creates a class at the first use of
/// such a switch. If memory runs out in that moment, `java.lang.runtime.SwitchBootstraps` hides the
/// OutOfMemoryError in another exception. The JVM then never links the switch again, so all later
/// requests that reach it fail. The packages below use `instanceof` instead.
final class CallSitesTest {
    private static final String SWITCHES = "SwitchBootstraps";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "net",
                "net/epoll",
                "net/nio",
                "codec",
                "http",
                "http1",
                "http2",
                "hpack",
                "exchange",
                "conn",
                "route",
                "file",
                "rule",
                "blocking",
                "log"
            })
    void engineLinksNoSwitchOverTypesInARequest(String name) throws Exception {
        assertThat(switches(Exchange.class, "dev/serval/" + name)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"dispatch", "run", "async", "upgrade", "request", "multipart"})
    void containerLinksNoSwitchOverTypesInARequest(String name) throws Exception {
        assertThat(switches(ServletContainer.class, "dev/serval/servlet/" + name)).isEmpty();
    }

    /// Returns the classes of a folder that link a switch at run time, with their methods.
    private static List<String> switches(Class<?> ofModule, String folder) throws Exception {
        try (Root root = Root.of(ofModule);
                Stream<Path> files = Files.list(root.path().resolve(folder))) {
            List<String> found = new ArrayList<>();
            List<Path> classes = files.filter(file -> file.toString().endsWith(".class")).toList();
            assertThat(classes).isNotEmpty();
            for (Path file : classes) {
                add(ClassFile.of().parse(Files.readAllBytes(file)), found);
            }
            return found;
        }
    }

    private static void add(ClassModel type, List<String> found) {
        type.methods()
                .forEach(method ->
                        method.code()
                                .ifPresent(code ->
                                        code.forEach(element -> {
                                            if (element instanceof InvokeDynamicInstruction site
                                                    && site.bootstrapMethod()
                                                            .owner()
                                                            .displayName()
                                                            .equals(SWITCHES)) {
                                                found.add(
                                                        type.thisClass().asInternalName()
                                                                + "."
                                                                + method.methodName());
                                            }
                                        })));
    }

    /// The folder or the jar of a module's classes.
    private record Root(Path path, AutoCloseable owner) implements AutoCloseable {
        static Root of(Class<?> ofModule) throws IOException, URISyntaxException {
            URL source = ofModule.getProtectionDomain().getCodeSource().getLocation();
            Path place = Path.of(source.toURI());
            if (Files.isDirectory(place)) {
                return new Root(place, () -> {});
            }
            FileSystem jar = FileSystems.newFileSystem(place, Map.of());
            return new Root(jar.getPath("/"), jar);
        }

        @Override
        public void close() {
            try {
                owner.close();
            } catch (Exception e) {
                throw new UncheckedIOException(new IOException(e));
            }
        }
    }
}
