package dev.serval.jsp.expression;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Counts how often a class is looked for.
final class PageImportsTest {
    private final PageImports.Unknown unknown = new PageImports.Unknown();
    private final List<String> asked = new ArrayList<>();
    private @Nullable ClassLoader before;

    @BeforeEach
    void listen() {
        before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread()
                .setContextClassLoader(
                        new ClassLoader(before) {
                            @Override
                            protected Class<?> loadClass(String name, boolean resolve)
                                    throws ClassNotFoundException {
                                asked.add(name);
                                return super.loadClass(name, resolve);
                            }
                        });
    }

    @AfterEach
    void restore() {
        Thread.currentThread().setContextClassLoader(before);
    }

    private PageImports imports(String... packages) {
        PageImports made = new PageImports(unknown);
        for (String each : packages) {
            made.importPackage(each);
        }
        return made;
    }

    @Test
    void nameThatIsNoClassIsLookedForOnce() {
        assertThat(imports("java.util").resolveClass("message")).isNull();
        assertThat(asked).containsExactly("java.lang.message", "java.util.message");
        assertThat(imports("java.util").resolveClass("message")).isNull();
        assertThat(asked).hasSize(2);
        assertThat(imports("java.util").resolveClass("other")).isNull();
        assertThat(asked).hasSize(4);
    }

    @Test
    void otherImportsMayHaveTheClass() {
        assertThat(imports().resolveClass("UUID")).isNull();
        assertThat(imports("java.util").resolveClass("UUID")).isEqualTo(java.util.UUID.class);
        assertThat(imports().resolveClass("UUID")).isNull();
        PageImports one = imports();
        one.importClass("java.util.UUID");
        assertThat(one.resolveClass("UUID")).isEqualTo(java.util.UUID.class);
        PageImports later = imports();
        assertThat(later.resolveClass("Locale")).isNull();
        later.importPackage("java.util");
        assertThat(later.resolveClass("Locale")).isEqualTo(java.util.Locale.class);
    }

    @Test
    void classOfJavaIsFoundWithoutAnImport() {
        assertThat(imports().resolveClass("Integer")).isEqualTo(Integer.class);
    }

    @Test
    void remembersSoManyNames() {
        for (int i = 0; i < 10_000; i++) {
            imports().resolveClass("n" + i);
        }
        asked.clear();
        imports().resolveClass("beyond");
        imports().resolveClass("beyond");
        imports().resolveClass("n9999");
        assertThat(asked).containsExactly("java.lang.beyond", "java.lang.beyond");
    }
}
