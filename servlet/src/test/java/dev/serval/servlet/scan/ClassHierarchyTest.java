package dev.serval.servlet.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What `@HandlesTypes` finds (Servlet 6.1 §8.2.4).
final class ClassHierarchyTest {
    /// NAME:PARENTS:ANNOTATIONS; the first parent is the superclass.
    private static final String CLASSES =
            "A:java.lang.Object: B:A: C:B,I: I:java.lang.Object,J: D:Lib: E:jakarta.servlet.http.HttpServlet:"
                    + " F:java.lang.Object:Mark K:java.lang.Object,A:Mark Loop1:Loop2: Loop2:Loop1: G:Missing:";

    @ParameterizedTest(name = "§8.2.4: {0} finds {1}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    A                         | B C K
                    B                         | C
                    J                         | C I
                    I                         | C
                    Mark                      | F K
                    A Mark                    | B C F K
                    jakarta.servlet.Servlet   | E
                    java.io.Serializable      | E
                    Top                       | D
                    Missing                   | G
                    Loop1                     | Loop2
                    Nothing                   | ''
                    """)
    void findsByHierarchyAndAnnotation(String types, String expected) throws IOException {
        ClassHierarchy hierarchy = new ClassHierarchy(List.of(result(CLASSES)), this::outside);

        assertThat(String.join(" ", hierarchy.handled(Set.of(types.split(" ", -1)))))
                .isEqualTo(expected);
        // A second question gets the same answer.
        assertThat(String.join(" ", hierarchy.handled(Set.of(types.split(" ", -1)))))
                .isEqualTo(expected);
    }

    @Test
    void readsTypesOfTheJdkOnlyIfAskedFor() throws IOException {
        Map<String, Integer> reads = new HashMap<>();
        ClassHierarchy hierarchy =
                new ClassHierarchy(
                        List.of(result(CLASSES)),
                        path -> {
                            reads.merge(path, 1, Integer::sum);
                            return outside(path);
                        });

        hierarchy.handled(Set.of("A"));
        assertThat(reads.keySet()).noneMatch(path -> path.startsWith("java/"));
        hierarchy.handled(Set.of("java.io.Serializable"));
        assertThat(reads).containsKey("java/io/Serializable.class");
        assertThat(reads.values()).allMatch(count -> count == 1);
    }

    @Test
    void firstOfTwoClassesWithOneNameCounts() throws IOException {
        ClassHierarchy hierarchy =
                new ClassHierarchy(List.of(result("X:A:"), result("X:B:")), path -> null);

        assertThat(hierarchy.handled(Set.of("A"))).containsExactly("X");
        assertThat(hierarchy.handled(Set.of("B"))).isEmpty();
    }

    @Test
    void bearsLongChains() throws IOException {
        List<ClassFacts> classes = new ArrayList<>();
        for (int i = 1; i <= 100_000; i++) {
            classes.add(new ClassFacts("C" + i, "C" + (i - 1), List.of(), 0, Set.of(), List.of()));
        }
        ClassHierarchy hierarchy =
                new ClassHierarchy(List.of(new ScanResult(classes, List.of())), path -> null);

        assertThat(hierarchy.handled(Set.of("C0"))).hasSize(100_000);
    }

    private byte @Nullable [] outside(String path) throws IOException {
        if (path.equals("Lib.class")) {
            return lib();
        }
        try (InputStream in = ClassLoader.getSystemResourceAsStream(path)) {
            return in == null ? null : in.readAllBytes();
        }
    }

    private static byte[] lib() {
        return ClassFile.of()
                .build(ClassDesc.of("Lib"), builder -> builder.withSuperclass(ClassDesc.of("Top")));
    }

    private static ScanResult result(String classes) {
        List<ClassFacts> facts = new ArrayList<>();
        for (String text : classes.split(" ", -1)) {
            String[] parts = text.split(":", -1);
            List<String> parents = List.of(parts[1].split(",", -1));
            Set<String> annotations = parts[2].isEmpty() ? Set.of() : Set.of(parts[2]);
            facts.add(
                    new ClassFacts(
                            parts[0],
                            parents.getFirst(),
                            parents.subList(1, parents.size()),
                            0,
                            annotations,
                            List.of()));
        }
        return new ScanResult(facts, List.of());
    }
}
