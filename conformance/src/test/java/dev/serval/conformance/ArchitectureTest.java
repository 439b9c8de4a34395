package dev.serval.conformance;

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
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Checks the arrows between packages: which package may use which. An arrow that is not in
/// [#ARROWS] fails, and so does a package without an entry.
final class ArchitectureTest {
    private static final String ROOT = "dev.serval";
    private static final int FIELDS_MAX = 20;

    /// For each package of the engine, the packages that it may use.
    private static final Map<String, Set<String>> ARROWS =
            Map.ofEntries(
                    Map.entry("loop", Set.of()),
                    Map.entry("worker", Set.of("loop")),
                    Map.entry("net", Set.of("loop")),
                    Map.entry("tls", Set.of("net")),
                    Map.entry("http", Set.of()),
                    Map.entry("handler", Set.of("http")),
                    Map.entry("policy", Set.of("http", "handler")),
                    Map.entry("http1", Set.of("http", "policy")),
                    Map.entry("hpack", Set.of("http")),
                    Map.entry("http2", Set.of("http", "policy", "hpack")),
                    Map.entry("exchange", Set.of("loop", "worker", "http", "handler", "policy")),
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
                    Map.entry("blocking", Set.of("http", "handler", "exchange", "worker")),
                    Map.entry("log", Set.of("http", "policy", "loop")),
                    Map.entry("load", Set.of("http", "policy", "loop")),
                    Map.entry("spool", Set.of("http", "loop")),
                    Map.entry("file", Set.of("http", "handler", "exchange", "spool")),
                    Map.entry("app", Set.of("http", "handler", "exchange", "blocking", "file")));

    private static final Path MODULES = SourceTree.read().root();
    private static final JavaClasses ENGINE = classes("engine");

    private static JavaClasses classes(String module) {
        Path folder = MODULES.resolve(module).resolve("target/classes");
        if (!Files.isDirectory(folder)) {
            throw new IllegalStateException(
                    "There are no classes in " + folder + ": build the engine first");
        }
        return new ClassFileImporter().importPath(folder);
    }

    @Test
    void seesTheEngine() {
        assertThat(ENGINE.contain(ROOT + ".handler.Exchange")).isTrue();
        assertThat(ENGINE.get(ROOT + ".policy.Limits").getDirectDependenciesFromSelf())
                .isNotEmpty();
    }

    @Test
    void enginePackagesUseOnlyAllowedPackages() {
        Set<String> wrong = new TreeSet<>();
        for (Dependency arrow : arrows(ENGINE)) {
            String from = packageOf(arrow.getOriginClass());
            String to = packageOf(arrow.getTargetClass());
            // The root package may use all packages; none may use it.
            if (!from.isEmpty()
                    && !from.equals(to)
                    && !ARROWS.getOrDefault(from, Set.of()).contains(to)) {
                wrong.add(
                        from
                                + " uses "
                                + (to.isEmpty() ? ROOT : to)
                                + ": "
                                + arrow.getDescription());
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyEnginePackageHasAnEntry() {
        Set<String> packages =
                ENGINE.stream()
                        .map(ArchitectureTest::packageOf)
                        .filter(name -> !name.isEmpty())
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(ARROWS.keySet()).containsAll(packages);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(ENGINE);
    }

    @Test
    void engineUsesOnlyTheJdk() {
        Set<String> others =
                ENGINE.stream()
                        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                        .map(arrow -> arrow.getTargetClass().getBaseComponentType())
                        .filter(type -> !type.isPrimitive())
                        .map(JavaClass::getPackageName)
                        .filter(name ->
                                !ours(name)
                                        && !name.startsWith("java.")
                                        && !name.startsWith("org.jspecify."))
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(others).isEmpty();
    }

    @Test
    void noPackageIsInTwoModules() {
        Map<String, Set<String>> modules = new TreeMap<>();
        for (JavaSource source : SourceTree.read().java()) {
            if (source.main() && !source.packageName().isEmpty()) {
                modules.computeIfAbsent(source.packageName(), _ -> new TreeSet<>())
                        .add(source.module());
            }
        }
        modules.values().removeIf(found -> found.size() == 1);
        assertThat(modules).isEmpty();
    }

    @Test
    void noClassHasTooManyFields() {
        List<String> large =
                ENGINE.stream()
                        .filter(type -> instanceFields(type) > FIELDS_MAX)
                        .map(type -> type.getName() + ": " + instanceFields(type))
                        .toList();
        assertThat(large).as("fields, at most " + FIELDS_MAX).isEmpty();
    }

    @Test
    void staticFieldsNeverChange() {
        fields().that()
                .areStatic()
                .and()
                .doNotHaveModifier(JavaModifier.SYNTHETIC)
                .should()
                .beFinal()
                .because("configuration and state pass through constructors")
                .check(ENGINE);
    }

    @Test
    void classesAreFinalOrSealed() {
        List<String> open =
                ENGINE.stream()
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

    private static Set<Dependency> arrows(JavaClasses classes) {
        return classes.stream()
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .filter(arrow -> ours(arrow.getTargetClass().getPackageName()))
                .collect(Collectors.toSet());
    }

    private static boolean ours(String name) {
        return name.equals(ROOT) || name.startsWith(ROOT + ".");
    }

    /// Returns the name after `dev.serval.`; empty for the root package.
    private static String packageOf(JavaClass type) {
        String name = type.getBaseComponentType().getPackageName();
        return name.equals(ROOT) ? "" : name.substring(ROOT.length() + 1);
    }
}
