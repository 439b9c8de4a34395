package dev.serval.servlet.loader;

import static dev.serval.servlet.loader.TestApp.bytes;
import static dev.serval.servlet.loader.TestApp.compiled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.servlet.inject.AppNaming;
import dev.serval.servlet.pages.SharedCode;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Loads classes compiled in the test, in the order that Servlet 6.1 §10.7.2 asks for.
final class AppClassLoaderTest {
    private final TestApp app = new TestApp();

    @AfterEach
    void delete() {
        app.close();
    }

    private static String saying(String className, String text) {
        int dot = className.lastIndexOf('.');
        return "package "
                + className.substring(0, dot)
                + "; public class "
                + className.substring(dot + 1)
                + " implements java.util.function.Supplier<String> {"
                + " public String get() { return \""
                + text
                + "\"; } }";
    }

    private static Object said(ClassLoader loader, String className)
            throws ReflectiveOperationException {
        Object instance = loader.loadClass(className).getConstructor().newInstance();
        return ((Supplier<?>) instance).get();
    }

    @Test
    void ownClassesComeBeforeJarsInTheirOrder() throws IOException, ReflectiveOperationException {
        app.source("com.x.A", saying("com.x.A", "classes"));
        app.jar(
                "z.jar",
                Map.of(
                        "com/x/A.class",
                        compiled("com.x.A", saying("com.x.A", "z")),
                        "com/x/B.class",
                        compiled("com.x.B", saying("com.x.B", "z"))));
        app.jar(
                "a.jar",
                Map.of(
                        "com/x/B.class",
                        compiled("com.x.B", saying("com.x.B", "a")),
                        "com/x/C.class",
                        compiled("com.x.C", saying("com.x.C", "a"))));
        try (AppClassLoader loader = app.open()) {
            assertThat(said(loader, "com.x.A")).isEqualTo("classes");
            assertThat(said(loader, "com.x.B")).isEqualTo("z");
            assertThat(said(loader, "com.x.C")).isEqualTo("a");
            URL place =
                    loader.loadClass("com.x.B").getProtectionDomain().getCodeSource().getLocation();
            assertThat(place).isEqualTo(app.path("WEB-INF/lib/z.jar").toUri().toURL());
            assertThat(loader.getURLs()).hasSize(3).contains(place);
        }
    }

    @Test
    void ownClassesComeBeforeTheServers() throws IOException, ReflectiveOperationException {
        app.source("dev.serval.testkit.Await", saying("dev.serval.testkit.Await", "own"));
        try (AppClassLoader loader = app.open()) {
            assertThat(said(loader, "dev.serval.testkit.Await")).isEqualTo("own");
        }
    }

    /// As an application has Tomcat's InstanceManager, if Tomcat's jars are in WEB-INF/lib.
    @Test
    void cannotOverrideClassesOfTheEngineForPages() throws IOException, ClassNotFoundException {
        String name = "dev.serval.testkit.Await";
        app.source(name, saying(name, "own"));
        SharedCode engine =
                new SharedCode(TestApp.class.getClassLoader(), Set.of(), Set.of(name), Set.of());
        ApiClassLoader api =
                new ApiClassLoader(TestApp.class.getClassLoader(), SharedPackages.JAKARTA, engine);
        try (AppClassLoader loader = app.open(api)) {
            assertThat(loader.loadClass(name)).isSameAs(Class.forName(name));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jakarta.servlet.Servlet",
                "jakarta.servlet.http.HttpServlet",
                "jakarta.annotation.PostConstruct",
                "java.lang.String",
                "javax.sql.DataSource",
                "org.w3c.dom.Node",
                "com.sun.source.tree.Tree"
            })
    void cannotOverrideTheJdkAndTheApis(String className)
            throws IOException, ClassNotFoundException {
        app.file(className.replace('.', '/') + ".class", "not even a class");
        try (AppClassLoader loader = app.open()) {
            assertThat(loader.loadClass(className)).isSameAs(Class.forName(className));
            URL url = loader.getResource(className.replace('.', '/') + ".class");
            assertThat(url).isNotNull().asString().doesNotContain("WEB-INF");
        }
    }

    @Test
    void bringsAnApiThatTheContainerLacks() throws IOException, ReflectiveOperationException {
        app.source("jakarta.el.Own", saying("jakarta.el.Own", "own"));
        app.source("javax.inject.Own", saying("javax.inject.Own", "own"));
        try (AppClassLoader loader = app.open()) {
            assertThat(said(loader, "jakarta.el.Own")).isEqualTo("own");
            assertThat(said(loader, "javax.inject.Own")).isEqualTo("own");
        }
    }

    /// As an application may bring an old addition to a package that the JDK has now.
    @Test
    void bringsAClassThatThePackageOfTheJdkLacks() throws IOException, ClassNotFoundException {
        for (String className : List.of("org.w3c.dom.Own", "java.util.Own")) {
            byte[] file = ClassFile.of().build(ClassDesc.of(className), _ -> {});
            app.file(className.replace('.', '/') + ".class", file);
        }
        try (AppClassLoader loader = app.open()) {
            assertThat(loader.loadClass("org.w3c.dom.Own").getClassLoader()).isSameAs(loader);
            assertThatThrownBy(() -> loader.loadClass("java.util.Own"))
                    .isInstanceOf(ClassNotFoundException.class);
        }
    }

    /// Takes one class of each package on the class path, which holds the server and its libraries.
    /// The one class of the server that an application may load is for JNDI.
    @Test
    void seesNothingOfTheServer() throws IOException {
        List<String> leaked = new ArrayList<>();
        Set<String> hidden = new HashSet<>();
        try (AppClassLoader loader = app.open()) {
            for (String name : onePerPackage()) {
                try {
                    leaked.add(loader.loadClass(name).getName());
                } catch (ClassNotFoundException e) {
                    hidden.add(name.substring(0, name.lastIndexOf('.')));
                }
                String path = name.replace('.', '/') + ".class";
                if (loader.getResource(path) != null) {
                    leaked.add(path);
                }
            }
        }
        assertThat(hidden)
                .contains("dev.serval.servlet.loader", "dev.serval.http", "org.junit.jupiter.api");
        assertThat(leaked)
                .isNotEmpty()
                .contains(AppNaming.FACTORY_CLASS)
                .allMatch(name ->
                        name.matches("jakarta[./](servlet|annotation)[./].*")
                                || name.equals(AppNaming.FACTORY_CLASS));
    }

    private static Set<String> onePerPackage() throws IOException {
        Map<String, String> classes = new TreeMap<>();
        ClassLoader tests = AppClassLoaderTest.class.getClassLoader();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path)) {
                try (Stream<Path> files = Files.walk(path)) {
                    files.forEach(file -> keep(path.relativize(file).toString(), classes));
                }
            } else if (entry.endsWith(".jar")) {
                try (JarFile jar = new JarFile(entry)) {
                    jar.stream().forEach(file -> keep(file.getName(), classes));
                }
            }
        }
        assertThat(tests.getResource("dev/serval/http/Fields.class")).isNotNull();
        return Set.copyOf(classes.values());
    }

    private static void keep(String file, Map<String, String> classes) {
        if (file.endsWith(".class")
                && !file.matches("(jdk|sun)/.*") // jcstress has classes in packages of the JDK
                && file.contains("/")
                && !file.contains("-")
                && !file.contains("META-INF")) {
            String name = file.substring(0, file.length() - 6).replace('/', '.');
            classes.put(name.substring(0, name.lastIndexOf('.')), name);
        }
    }

    @Test
    void seesNoServicesOfTheServer() throws IOException {
        String services = "META-INF/services/org.junit.platform.engine.TestEngine";
        assertThat(AppClassLoaderTest.class.getClassLoader().getResource(services)).isNotNull();
        try (AppClassLoader loader = app.open()) {
            assertThat(loader.getResource(services)).isNull();
            assertThat(Collections.list(loader.getResources(services))).isEmpty();
            assertThat(Collections.list(loader.getResources("META-INF/MANIFEST.MF"))).isEmpty();
        }
    }

    @Test
    void findsResourcesOfAllPlacesInOrder() throws IOException {
        app.file("x/r.txt", "classes");
        app.jar("b.jar", Map.of("x/r.txt", bytes("b"), "x/only.txt", bytes("b")));
        app.jar(
                "a.jar",
                Map.of("x/r.txt", bytes("a"), "other/", bytes(""), "other/y.txt", bytes("y")));
        try (AppClassLoader loader = app.open()) {
            List<String> texts = new ArrayList<>();
            for (URL url : Collections.list(loader.getResources("x/r.txt"))) {
                texts.add(text(url));
            }
            assertThat(texts).containsExactly("classes", "b", "a");
            assertThat(text(loader.getResource("x/only.txt"))).isEqualTo("b");
            try (InputStream in = loader.getResourceAsStream("x/only.txt")) {
                assertThat(in).hasContent("b");
            }
            assertThat(loader.getResource("other/")).asString().endsWith("a.jar!/other/");
            assertThat(loader.getResource("other")).isNotNull();
            assertThat(loader.getResource("no/r.txt")).isNull();
            assertThat(loader.getResource("../web.xml")).isNull();
            assertThat(loader.getResource(""))
                    .isEqualTo(app.path("WEB-INF/classes").toUri().toURL());
        }
    }

    /// As with Tomcat and Jetty, for which many applications were written.
    @Test
    void slashBeforeTheNameOfAResourceMeansNothing() throws IOException {
        app.file("r.txt", "classes");
        app.jar("a.jar", Map.of("r.txt", bytes("a"), "x/only.txt", bytes("only")));
        try (AppClassLoader loader = app.open()) {
            assertThat(text(loader.getResource("/r.txt"))).isEqualTo("classes");
            assertThat(text(loader.findResource("/x/only.txt"))).isEqualTo("only");
            for (String name : List.of("/r.txt", "/x/only.txt")) {
                try (InputStream in = loader.getResourceAsStream(name)) {
                    assertThat(in).isNotEmpty();
                }
            }
            assertThat(Collections.list(loader.getResources("/r.txt"))).hasSize(2);
            assertThat(Collections.list(loader.findResources("/r.txt"))).hasSize(2);
            assertThat(loader.getResource("/"))
                    .isEqualTo(app.path("WEB-INF/classes").toUri().toURL());
            assertThat(loader.getResource("/../web.xml")).isNull();
            assertThat(loader.getResource("/etc/passwd")).isNull();
            // What the JDK and the container have is hidden from nobody.
            String servlet = "jakarta/servlet/Servlet.class";
            assertThat(loader.getResource("/" + servlet)).isEqualTo(loader.getResource(servlet));
        }
    }

    @Test
    void urlsSurviveOddNames() throws IOException {
        String name = "x/a b%41#c!ü?.txt";
        app.jar("odd #1!.jar", Map.of(name, bytes("odd")));
        try (AppClassLoader loader = app.open()) {
            assertThat(text(loader.getResource(name))).isEqualTo("odd");
        }
    }

    @Test
    void definesPackagesByManifest() throws IOException, ClassNotFoundException {
        String manifest =
                "Manifest-Version: 1.0\nImplementation-Title: Shop\nImplementation-Version: 7\n\n";
        app.jar(
                "a.jar",
                Map.of(
                        "META-INF/MANIFEST.MF",
                        bytes(manifest),
                        "com/x/A.class",
                        compiled("com.x.A", saying("com.x.A", "a"))));
        app.source("com.y.B", saying("com.y.B", "b"));
        try (AppClassLoader loader = app.open()) {
            Package described = loader.loadClass("com.x.A").getPackage();
            assertThat(described.getImplementationTitle()).isEqualTo("Shop");
            assertThat(described.getImplementationVersion()).isEqualTo("7");
            assertThat(loader.loadClass("com.y.B").getPackage().getName()).isEqualTo("com.y");
        }
    }

    @Test
    void readsMultiReleaseJars() throws IOException, ReflectiveOperationException {
        String manifest = "Manifest-Version: 1.0\nMulti-Release: true\n\n";
        app.jar(
                "a.jar",
                Map.of(
                        "META-INF/MANIFEST.MF", bytes(manifest),
                        "com/x/A.class", compiled("com.x.A", saying("com.x.A", "old")),
                        "META-INF/versions/21/com/x/A.class",
                                compiled("com.x.A", saying("com.x.A", "new")),
                        "META-INF/versions/21/com/n/B.class",
                                compiled("com.n.B", saying("com.n.B", "only new")),
                        "META-INF/versions/99/com/x/A.class", bytes("far future")));
        try (AppClassLoader loader = app.open()) {
            assertThat(said(loader, "com.x.A")).isEqualTo("new");
            assertThat(said(loader, "com.n.B")).isEqualTo("only new");
            assertThat(loader.getResource("com/x/A.class")).asString().contains("versions/21");
        }
    }

    @Test
    void toleratesSignedJarWhoseSignatureIsWrong()
            throws IOException, ReflectiveOperationException {
        String manifest = "Manifest-Version: 1.0\n\nName: com/x/A.class\nSHA-256-Digest: AAAA\n\n";
        app.jar(
                "a.jar",
                Map.of(
                        "META-INF/MANIFEST.MF", bytes(manifest),
                        "META-INF/KEY.SF", bytes("Signature-Version: 1.0\n\n"),
                        "META-INF/KEY.RSA", bytes("no signature"),
                        "com/x/A.class", compiled("com.x.A", saying("com.x.A", "a"))));
        try (AppClassLoader loader = app.open()) {
            assertThat(said(loader, "com.x.A")).isEqualTo("a");
        }
    }

    @Test
    void ignoresClassPathOfManifest() throws IOException {
        app.jar("hidden.jar", Map.of("com/x/A.class", compiled("com.x.A", saying("com.x.A", "a"))));
        Path hidden = app.path("WEB-INF/lib/hidden.jar");
        try (TestApp other = new TestApp()) {
            other.jar(
                    "a.jar",
                    Map.of(
                            "META-INF/MANIFEST.MF",
                            bytes(
                                    "Manifest-Version: 1.0\nClass-Path: "
                                            + hidden.toUri()
                                            + "\n\n")));
            try (AppClassLoader loader = other.open()) {
                assertThatThrownBy(() -> loader.loadClass("com.x.A"))
                        .isInstanceOf(ClassNotFoundException.class);
            }
        }
    }

    @Test
    void threadsGetTheSameClass() throws IOException, InterruptedException, ExecutionException {
        for (int i = 0; i < 20; i++) {
            app.file("C" + i + ".class", compiled("C" + i, "public class C" + i + " {}"));
        }
        CountDownLatch start = new CountDownLatch(1);
        try (AppClassLoader loader = app.open();
                ExecutorService pool = Executors.newFixedThreadPool(4)) {
            List<Future<List<Class<?>>>> loads = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                loads.add(
                        pool.submit(() -> {
                            start.await();
                            List<Class<?>> loaded = new ArrayList<>();
                            for (int i = 0; i < 20; i++) {
                                loaded.add(loader.loadClass("C" + i));
                            }
                            return loaded;
                        }));
            }
            start.countDown();
            for (Future<List<Class<?>>> load : loads) {
                assertThat(load.get()).isEqualTo(loads.getFirst().get());
            }
        }
    }

    @Test
    void closesEveryJar() throws IOException, ReflectiveOperationException {
        app.jar(
                "a.jar",
                Map.of(
                        "com/x/A.class",
                        compiled("com.x.A", saying("com.x.A", "a")),
                        "r.txt",
                        bytes("r"),
                        "s.txt",
                        bytes("s")));
        AppClassLoader loader = app.open();
        assertThat(said(loader, "com.x.A")).isEqualTo("a");
        assertThat(text(loader.getResource("r.txt"))).isEqualTo("r"); // the JDK keeps the jar open
        assertThat(openFiles()).contains(app.path("WEB-INF/lib/a.jar"));
        loader.close();
        assertThat(openFiles()).doesNotContain(app.path("WEB-INF/lib/a.jar"));
        assertThat(loader.getResource("s.txt")).isNull();
        assertThatThrownBy(() -> loader.loadClass("com.x.B"))
                .hasMessageContaining(
                        "com.x.B cannot be loaded, because the application /shop was stopped");
        assertThat(loader.loadClass("com.x.A")).isNotNull();
    }

    private static List<Path> openFiles() throws IOException {
        List<Path> open = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : (Iterable<Path>) descriptors::iterator) {
                try {
                    open.add(Files.readSymbolicLink(descriptor));
                } catch (NoSuchFileException e) {
                    // Another thread has closed it meanwhile.
                }
            }
        }
        return open;
    }

    @Test
    void refusesBrokenJar() {
        app.jar("a.jar", Map.of("x", bytes("x")));
        Path jar = app.path("WEB-INF/lib/a.jar");
        assertThatThrownBy(
                        () -> {
                            Files.writeString(jar, "no jar");
                            app.open();
                        })
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a.jar cannot be opened as a jar")
                .hasMessageContaining("Copy it again");
    }

    @Test
    void namesMissingClass() throws IOException {
        app.jar("a.jar", Map.of("x", bytes("x")));
        app.jar("b.jar", Map.of("x", bytes("x")));
        try (AppClassLoader loader = app.open()) {
            assertThatThrownBy(() -> loader.loadClass("com.x.A"))
                    .hasMessage(
                            "com.x.A is not in the application: it is not in any of its 2 class"
                                    + " folders and jars. Add the jar that has it to WEB-INF/lib");
            assertThatThrownBy(() -> loader.loadClass("javax.servlet.http.HttpServlet"))
                    .hasMessageContaining("belongs to Java EE 8 or earlier")
                    .hasMessageContaining("jakarta.servlet.http");
        }
    }

    @Test
    void namesClassForALaterJava() throws IOException {
        byte[] future = compiled("com.x.A", saying("com.x.A", "a"));
        future[6] = 0;
        future[7] = 99;
        byte[] preview = compiled("com.x.P", saying("com.x.P", "p"));
        preview[4] = preview[5] = (byte) 0xff;
        app.file("com/x/A.class", future);
        app.file("com/x/P.class", preview);
        int running = Runtime.version().feature();
        try (AppClassLoader loader = app.open()) {
            assertThatThrownBy(() -> loader.loadClass("com.x.A"))
                    .isInstanceOf(UnsupportedClassVersionError.class)
                    .hasMessageContaining(
                            "com.x.A in WEB-INF/classes is compiled for Java 55 (class file version"
                                    + " 99)")
                    .hasMessageContaining("runs Java " + running);
            assertThatThrownBy(() -> loader.loadClass("com.x.P"))
                    .isInstanceOf(UnsupportedClassVersionError.class)
                    .hasMessageContaining("preview features");
        }
    }

    @Test
    void namesDamagedClass() throws IOException {
        byte[] whole = compiled("com.x.A", saying("com.x.A", "a"));
        app.file("com/x/A.class", Arrays.copyOf(whole, 100));
        try (AppClassLoader loader = app.open()) {
            assertThatThrownBy(() -> loader.loadClass("com.x.A"))
                    .isInstanceOf(ClassFormatError.class)
                    .hasMessageContaining("com.x.A in WEB-INF/classes is damaged");
        }
    }

    @Test
    void doesNotFollowLinksOutOfTheClasses() throws IOException {
        app.file("x.txt", "inside");
        Path outside = Files.writeString(app.path("secret.txt"), "secret");
        Files.createSymbolicLink(app.path("WEB-INF/classes/link.txt"), outside);
        try (AppClassLoader loader = app.open()) {
            assertThat(loader.getResource("x.txt")).isNotNull();
            assertThat(loader.getResource("link.txt")).isNull();
        }
    }

    private static String text(@Nullable URL url) throws IOException {
        if (url == null) {
            throw new AssertionError("no such resource");
        }
        try (InputStream in = url.openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
