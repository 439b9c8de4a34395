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

/// Checks the arrows between packages: which package may use which. An arrow that is not in
/// [ModuleArrows] fails, and so does a package without an entry. It stands in this module because all
/// others that it reads are built before.
final class ArchitectureTest {
    private static final String ROOT = "dev.serval";
    private static final String OF_ENGINE = "engine:";
    private static final int FIELDS_MAX = 20;

    private static final Path MODULES = Path.of("").toAbsolutePath().resolve("..").normalize();

    private static final Checked ENGINE =
            new Checked(
                    "engine",
                    ROOT,
                    classes("engine"),
                    ModuleArrows.ENGINE,
                    List.of(
                            "java.",
                            "javax.crypto.",
                            "javax.net.ssl.",
                            "javax.security.auth.x500.",
                            "jdk.net.",
                            "org.jspecify."));

    private static final Checked SERVLET =
            new Checked(
                    "servlet",
                    ROOT + ".servlet",
                    classes("servlet"),
                    ModuleArrows.SERVLET,
                    List.of(
                            "java.",
                            "javax.crypto.",
                            "javax.naming.",
                            "javax.security.auth.x500.",
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
                    ModuleArrows.GATEWAY,
                    List.of("java.", "javax.crypto.", "javax.net.ssl.", "org.jspecify."));

    /// The only module that sees Jasper.
    private static final Checked JSP =
            new Checked(
                    "jsp",
                    ROOT + ".jsp",
                    classes("jsp"),
                    Map.of("expression", Set.of()),
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

    /// The only module that sees acme4j.
    private static final Checked ACME =
            new Checked(
                    "acme",
                    ROOT + ".acme",
                    classes("acme"),
                    Map.of(),
                    List.of("java.", "javax.net.ssl.", "org.shredzone.acme4j.", "org.jspecify."));

    /// The only module that sees netty-tcnative, and nothing else of Netty.
    private static final Checked BORINGSSL =
            new Checked(
                    "tls-boringssl",
                    ROOT + ".boringssl",
                    classes("tls-boringssl"),
                    Map.of(),
                    List.of(
                            "java.",
                            "javax.net.ssl.",
                            "io.netty.internal.tcnative.",
                            "org.jspecify."));

    /// The only module that parses command lines.
    private static final Checked SERVER =
            new Checked(
                    "server",
                    ROOT,
                    classes("server"),
                    ModuleArrows.SERVER,
                    List.of(
                            "java.",
                            "javax.security.auth.x500.",
                            "javax.sql.",
                            "org.tomlj.",
                            "picocli.",
                            "tools.jackson.",
                            "com.sun.management.", // descriptors and processor time
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
        return List.of(ENGINE, SERVLET, GATEWAY, JSP, ACME, BORINGSSL, SERVER);
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
        assertThat(used).containsExactly("", "engine:servlet.pages", "expression");
    }

    @Test
    void theServerSeesNothingOfAcme4j() {
        assertThat(
                        SERVER.classes.stream()
                                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                                .map(arrow -> arrow.getTargetClass().getPackageName())
                                .filter(name -> name.startsWith("org.shredzone.")))
                .isEmpty();
    }

    @Test
    void theLibraryOfTlsSeesOnlyTheSeam() {
        Set<String> used =
                BORINGSSL.dependencies().stream()
                        .map(arrow -> BORINGSSL.packageOf(arrow.getTargetClass()))
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(used).containsExactly("", "engine:tls");
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
        ModuleArrows.SERVLET.forEach(
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
