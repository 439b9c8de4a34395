package dev.serval.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Checks the arrows between packages: which package may use which. An arrow that is not in the list
/// of its module fails, and so does a package without an entry. It stands in this module because all
/// others that it reads are built before.
final class ArchitectureTest {
    private static final String ROOT = "dev.serval";
    private static final String OF_ENGINE = "engine:";
    private static final int FIELDS_MAX = 20;

    /// For each package of the engine, the packages that it may use.
    private static final Map<String, Set<String>> ENGINE_ARROWS =
            Map.ofEntries(
                    Map.entry("loop", Set.of()),
                    Map.entry("worker", Set.of("loop")),
                    Map.entry("net", Set.of("loop")),
                    Map.entry("net.epoll", Set.of("net")),
                    Map.entry("net.nio", Set.of("net")),
                    Map.entry("net.memory", Set.of("net")),
                    Map.entry("tls", Set.of("net")),
                    Map.entry("codec", Set.of()),
                    Map.entry("http", Set.of("codec")),
                    Map.entry("handler", Set.of("http")),
                    Map.entry("policy", Set.of("http", "handler")),
                    Map.entry("http1", Set.of("codec", "http", "policy")),
                    Map.entry("hpack", Set.of("http")),
                    Map.entry("http2", Set.of("http", "policy", "hpack")),
                    Map.entry(
                            "exchange",
                            Set.of("loop", "worker", "codec", "http", "handler", "policy")),
                    Map.entry(
                            "conn",
                            Set.of(
                                    "loop",
                                    "worker",
                                    "net",
                                    "tls",
                                    "http",
                                    "handler",
                                    "policy",
                                    "exchange",
                                    "http1",
                                    "http2")),
                    Map.entry("route", Set.of("http", "handler", "exchange")),
                    Map.entry("blocking", Set.of("http", "handler", "exchange")),
                    Map.entry("log", Set.of("http", "policy", "loop")),
                    Map.entry("load", Set.of("http", "policy", "loop")),
                    Map.entry("spool", Set.of("http", "loop")),
                    Map.entry(
                            "file",
                            Set.of(
                                    "codec",
                                    "http",
                                    "handler",
                                    "exchange",
                                    "net",
                                    "net.epoll",
                                    "spool")),
                    Map.entry(
                            "app",
                            Set.of("codec", "http", "handler", "exchange", "blocking", "file")));

    /// For each package of the servlet container, the packages of the container and of the engine
    /// that it may use.
    private static final Map<String, Set<String>> SERVLET_ARROWS =
            Map.ofEntries(
                    Map.entry("descriptor", Set.of()),
                    Map.entry("scan", Set.of()),
                    Map.entry("archive", Set.of()),
                    Map.entry("log", Set.of()),
                    Map.entry("pages", Set.of()),
                    Map.entry("loader", Set.of("inject", "log", "pages")),
                    Map.entry("cookie", Set.of("engine:codec", "engine:http")),
                    Map.entry("parameter", Set.of("engine:codec", "engine:http")),
                    Map.entry("map", Set.of("descriptor")),
                    Map.entry("vault", Set.of()),
                    Map.entry("session", Set.of("descriptor", "vault")),
                    Map.entry("kept", Set.of("session", "vault")),
                    Map.entry("users", Set.of()),
                    Map.entry("database", Set.of()),
                    Map.entry("inject", Set.of("descriptor")),
                    Map.entry("inject.java", Set.of("inject")),
                    Map.entry("webxml", Set.of("descriptor", "scan")),
                    Map.entry("assembly", Set.of("descriptor", "scan", "webxml")),
                    Map.entry("registration", Set.of("descriptor", "inject")),
                    Map.entry("context", Set.of("descriptor", "inject", "pages", "registration")),
                    Map.entry(
                            "multipart",
                            Set.of("descriptor", "parameter", "engine:codec", "engine:http")),
                    Map.entry(
                            "request",
                            Set.of(
                                    "descriptor",
                                    "cookie",
                                    "parameter",
                                    "session",
                                    "engine:http",
                                    "engine:handler",
                                    "engine:blocking")),
                    Map.entry("password", Set.of("users", "request")),
                    Map.entry(
                            "login",
                            Set.of(
                                    "descriptor",
                                    "users",
                                    "password",
                                    "session",
                                    "request",
                                    "engine:codec",
                                    "engine:http")),
                    Map.entry(
                            "security",
                            Set.of("descriptor", "map", "login", "password", "request")),
                    Map.entry(
                            "dispatch",
                            Set.of(
                                    "descriptor",
                                    "map",
                                    "context",
                                    "pages",
                                    "request",
                                    "engine:http",
                                    "engine:handler",
                                    "engine:blocking")),
                    Map.entry("async", Set.of("map", "dispatch", "request", "engine:blocking")),
                    Map.entry(
                            "upgrade",
                            Set.of(
                                    "async",
                                    "context",
                                    "dispatch",
                                    "request",
                                    "engine:http",
                                    "engine:handler",
                                    "engine:blocking")),
                    Map.entry(
                            "run",
                            Set.of(
                                    "descriptor",
                                    "context",
                                    "registration",
                                    "request",
                                    "session",
                                    "parameter",
                                    "multipart",
                                    "dispatch",
                                    "async",
                                    "upgrade",
                                    "engine:http",
                                    "engine:handler",
                                    "engine:blocking")),
                    Map.entry(
                            "files",
                            Set.of(
                                    "archive",
                                    "scan",
                                    "assembly",
                                    "descriptor",
                                    "map",
                                    "pages",
                                    "context",
                                    "request",
                                    "dispatch",
                                    "engine:http",
                                    "engine:handler",
                                    "engine:blocking",
                                    "engine:exchange",
                                    "engine:file")),
                    Map.entry(
                            "app",
                            Set.of(
                                    "database",
                                    "descriptor",
                                    "scan",
                                    "archive",
                                    "loader",
                                    "log",
                                    "pages",
                                    "cookie",
                                    "parameter",
                                    "map",
                                    "session",
                                    "kept",
                                    "vault",
                                    "inject",
                                    "assembly",
                                    "registration",
                                    "context",
                                    "multipart",
                                    "request",
                                    "users",
                                    "password",
                                    "security",
                                    "dispatch",
                                    "run",
                                    "files",
                                    "engine:http",
                                    "engine:handler",
                                    "engine:exchange",
                                    "engine:blocking",
                                    "engine:file")));

    /// For each package of the gateway, the packages of the gateway and of the engine that it may
    /// use.
    private static final Map<String, Set<String>> GATEWAY_ARROWS =
            Map.ofEntries(
                    Map.entry("cgi", Set.of("engine:codec", "engine:http", "engine:handler")),
                    Map.entry("peer", Set.of("engine:exchange", "engine:net", "engine:loop")),
                    Map.entry("spool", Set.of("engine:exchange", "engine:handler", "engine:net")),
                    Map.entry(
                            "relay",
                            Set.of(
                                    "peer",
                                    "engine:exchange",
                                    "engine:handler",
                                    "engine:http",
                                    "engine:loop",
                                    "engine:net")),
                    Map.entry(
                            "output",
                            Set.of(
                                    "cgi",
                                    "peer",
                                    "relay",
                                    "spool",
                                    "engine:exchange",
                                    "engine:file",
                                    "engine:handler",
                                    "engine:http",
                                    "engine:loop",
                                    "engine:net")),
                    Map.entry(
                            "fastcgi",
                            Set.of(
                                    "cgi",
                                    "output",
                                    "peer",
                                    "relay",
                                    "spool",
                                    "engine:exchange",
                                    "engine:file",
                                    "engine:handler",
                                    "engine:http",
                                    "engine:net")),
                    Map.entry(
                            "scgi",
                            Set.of(
                                    "cgi",
                                    "output",
                                    "peer",
                                    "relay",
                                    "spool",
                                    "engine:exchange",
                                    "engine:handler",
                                    "engine:http",
                                    "engine:net")),
                    Map.entry(
                            "proxy",
                            Set.of(
                                    "peer",
                                    "relay",
                                    "engine:codec",
                                    "engine:exchange",
                                    "engine:handler",
                                    "engine:http",
                                    "engine:http1",
                                    "engine:loop",
                                    "engine:net",
                                    "engine:policy")),
                    Map.entry(
                            "neighbour",
                            Set.of(
                                    "fastcgi",
                                    "peer",
                                    "proxy",
                                    "scgi",
                                    "spool",
                                    "engine:file",
                                    "engine:handler")),
                    Map.entry(
                            "lrwp",
                            Set.of(
                                    "cgi",
                                    "peer",
                                    "relay",
                                    "spool",
                                    "engine:codec",
                                    "engine:conn",
                                    "engine:exchange",
                                    "engine:handler",
                                    "engine:http",
                                    "engine:loop",
                                    "engine:net")));

    /// For each package of the product, the packages that it may use: those of its own module, of
    /// the engine and of the modules that it assembles. The empty name is the engine's root package.
    private static final Map<String, Set<String>> SERVER_ARROWS =
            Map.ofEntries(
                    Map.entry("control", Set.of()),
                    Map.entry("rehearsal", Set.of()),
                    Map.entry("database", Set.of("servlet.database")),
                    Map.entry(
                            "backend",
                            Set.of(
                                    "",
                                    "handler",
                                    "gateway.lrwp",
                                    "gateway.neighbour",
                                    "gateway.peer",
                                    "gateway.spool")),
                    Map.entry("demo", Set.of("backend", "gateway.lrwp", "lrwp.peer")),
                    Map.entry(
                            "command",
                            Set.of(
                                    "backend",
                                    "control",
                                    "demo",
                                    "file",
                                    "servlet",
                                    "servlet.database")),
                    Map.entry(
                            "site",
                            Set.of(
                                    "",
                                    "backend",
                                    "command",
                                    "control",
                                    "database",
                                    "handler",
                                    "http",
                                    "jsp",
                                    "policy",
                                    "route",
                                    "servlet")),
                    Map.entry(
                            "server",
                            Set.of(
                                    "",
                                    "backend",
                                    "command",
                                    "control",
                                    "demo",
                                    "file",
                                    "handler",
                                    "net.epoll",
                                    "policy",
                                    "site")));

    private static final Path MODULES = Path.of("").toAbsolutePath().resolve("..").normalize();

    private static final Checked ENGINE =
            new Checked(
                    "engine",
                    ROOT,
                    classes("engine"),
                    ENGINE_ARROWS,
                    List.of("java.", "jdk.net.", "org.jspecify."));

    private static final Checked SERVLET =
            new Checked(
                    "servlet",
                    ROOT + ".servlet",
                    classes("servlet"),
                    SERVLET_ARROWS,
                    List.of(
                            "java.",
                            "javax.crypto.",
                            "javax.naming.",
                            "javax.sql.",
                            "javax.xml.",
                            "org.w3c.dom.",
                            "org.xml.sax.",
                            "jakarta.servlet.",
                            "jakarta.annotation.",
                            "org.jspecify."));

    private static final Checked GATEWAY =
            new Checked(
                    "gateway",
                    ROOT + ".gateway",
                    classes("gateway"),
                    GATEWAY_ARROWS,
                    List.of("java.", "org.jspecify."));

    /// The only module that sees Jasper.
    private static final Checked JSP =
            new Checked(
                    "jsp",
                    ROOT + ".jsp",
                    classes("jsp"),
                    Map.of(),
                    List.of(
                            "java.",
                            "javax.xml.stream.",
                            "org.xml.sax.",
                            "jakarta.el.",
                            "jakarta.servlet.",
                            "org.apache.jasper.",
                            "org.apache.juli.",
                            "org.apache.tomcat.",
                            "org.jspecify."));

    /// The only module that parses command lines.
    private static final Checked SERVER =
            new Checked(
                    "server",
                    ROOT,
                    classes("server"),
                    SERVER_ARROWS,
                    List.of(
                            "java.",
                            "javax.sql.",
                            "picocli.",
                            "com.zaxxer.hikari.",
                            "org.jspecify."));

    /// A module whose packages are checked.
    ///
    /// @param root the package that the names of `arrows` start from
    /// @param arrows for each package, the packages that it may use
    /// @param others the beginnings of the packages outside of `dev.serval` that it may use
    record Checked(
            String name,
            String root,
            JavaClasses classes,
            Map<String, Set<String>> arrows,
            List<String> others) {
        @Override
        public String toString() {
            return name;
        }

        /// Returns the name after the root package; empty for the root package itself. A package of
        /// the engine that another module uses begins with `engine:`.
        private String packageOf(JavaClass type) {
            String found = type.getBaseComponentType().getPackageName();
            if (found.equals(root)) {
                return "";
            }
            return found.startsWith(root + ".")
                    ? found.substring(root.length() + 1)
                    : OF_ENGINE + found.substring(Math.min(found.length(), ROOT.length() + 1));
        }

        private Set<Dependency> dependencies() {
            return classes.stream()
                    .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                    .filter(arrow -> ours(arrow.getTargetClass().getPackageName()))
                    .collect(Collectors.toSet());
        }
    }

    static List<Checked> modules() {
        return List.of(ENGINE, SERVLET, GATEWAY, JSP, SERVER);
    }

    private static JavaClasses classes(String module) {
        Path folder = MODULES.resolve(module).resolve("target/classes");
        if (!Files.isDirectory(folder)) {
            throw new IllegalStateException(
                    "There are no classes in " + folder + ": build the module first");
        }
        return new ClassFileImporter().importPath(folder);
    }

    @Test
    void seesTheModules() {
        assertThat(ENGINE.classes.contain(ROOT + ".handler.Exchange")).isTrue();
        assertThat(ENGINE.classes.get(ROOT + ".policy.Limits").getDirectDependenciesFromSelf())
                .isNotEmpty();
        assertThat(SERVLET.dependencies())
                .extracting(arrow -> SERVLET.packageOf(arrow.getTargetClass()))
                .contains("descriptor", "inject", "engine:blocking");
    }

    @Test
    void onlyTheSeamIsUsedByPages() {
        Set<String> used =
                JSP.dependencies().stream()
                        .map(arrow -> JSP.packageOf(arrow.getTargetClass()))
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(used).containsExactly("", "engine:servlet.pages");
    }

    @Test
    void theServerSeesNothingOfJasper() {
        List<String> arrows =
                SERVER.classes.stream()
                        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                        .filter(arrow -> arrow.getTargetClass().getName().startsWith("org.apache."))
                        .map(Dependency::getDescription)
                        .toList();
        assertThat(arrows).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void packagesUseOnlyAllowedPackages(Checked module) {
        Set<String> wrong = new TreeSet<>();
        for (Dependency arrow : module.dependencies()) {
            String from = module.packageOf(arrow.getOriginClass());
            String to = module.packageOf(arrow.getTargetClass());
            // The root package may use all packages; none may use it.
            if (!from.isEmpty()
                    && !from.equals(to)
                    && !module.arrows.getOrDefault(from, Set.of()).contains(to)) {
                wrong.add(
                        from
                                + " uses "
                                + (to.isEmpty() ? module.root : to)
                                + ": "
                                + arrow.getDescription());
            }
        }
        assertThat(wrong).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void everyPackageHasAnEntry(Checked module) {
        Set<String> packages =
                module.classes.stream()
                        .map(module::packageOf)
                        .filter(name -> !name.isEmpty())
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(module.arrows.keySet()).containsAll(packages);
    }

    @Test
    void arrowsOfTheServletContainerExist() {
        Set<String> unused = new TreeSet<>();
        SERVLET_ARROWS.forEach(
                (from, targets) -> targets.forEach(to -> unused.add(from + " uses " + to)));
        for (Dependency arrow : SERVLET.dependencies()) {
            String from = SERVLET.packageOf(arrow.getOriginClass());
            unused.remove(from + " uses " + SERVLET.packageOf(arrow.getTargetClass()));
        }
        assertThat(unused).as("no code needs these entries").isEmpty();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void packagesHaveNoCycles(Checked module) {
        slices().matching(module.root + ".(**)")
                .should()
                .beFreeOfCycles()
                .allowEmptyShould(true) // a module of one package
                .check(module.classes);
    }

    @ParameterizedTest
    @MethodSource("modules")
    void modulesUseOnlyAllowedLibraries(Checked module) {
        Set<String> others =
                module.classes.stream()
                        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                        .map(arrow -> arrow.getTargetClass().getBaseComponentType())
                        .filter(type -> !type.isPrimitive())
                        .map(JavaClass::getPackageName)
                        .filter(name -> !ours(name))
                        .filter(name -> module.others.stream().noneMatch((name + ".")::startsWith))
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(others).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void noClassHasTooManyFields(Checked module) {
        List<String> large =
                module.classes.stream()
                        .filter(type -> instanceFields(type) > FIELDS_MAX)
                        .map(type -> type.getName() + ": " + instanceFields(type))
                        .toList();
        assertThat(large).as("fields, at most " + FIELDS_MAX).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void staticFieldsNeverChange(Checked module) {
        fields().that()
                .areStatic()
                .and()
                .doNotHaveModifier(JavaModifier.SYNTHETIC)
                .should()
                .beFinal()
                .because("configuration and state pass through constructors")
                .check(module.classes);
    }

    @ParameterizedTest
    @MethodSource("modules")
    void classesAreFinalOrSealed(Checked module) {
        List<String> open =
                module.classes.stream()
                        .filter(type ->
                                !type.isInterface() && !type.isEnum() && !type.isAnonymousClass())
                        .filter(type -> !type.getModifiers().contains(JavaModifier.FINAL))
                        .filter(type -> !type.getSimpleName().equals("package-info"))
                        .filter(type -> !type.reflect().isSealed())
                        .map(JavaClass::getName)
                        .toList();
        assertThat(open).as("composition, not inheritance").isEmpty();
    }

    private static long instanceFields(JavaClass type) {
        return type.getFields().stream()
                .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                .count();
    }

    private static boolean ours(String name) {
        return name.equals(ROOT) || name.startsWith(ROOT + ".");
    }
}
