package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class JavaSourceTest {
    @Test
    void blanksCommentsAndLiteralsAndKeepsLines() {
        JavaSource source =
                new JavaSource(
                        "engine/src/main/java/dev/serval/A.java",
                        "a(\"x\\\"//y\"); // b\n/* c\n */ d('\\'', \"\"\"\n e\" \"\"\"); f();");

        assertThat(source.code().replaceAll(" +", " ")).isEqualTo("a( ); \n \n d( , \n ); f();");
        assertThat(source.code()).hasSameSizeAs(source.text());
    }

    @Test
    void knowsItsModulePackageAndTypes() {
        JavaSource source =
                new JavaSource(
                        "examples/embedding/src/main/java/dev/serval/x/A.java",
                        "final class A { enum B {} record C() {} }");

        assertThat(source.module()).isEqualTo("examples/embedding");
        assertThat(source.packageName()).isEqualTo("dev.serval.x");
        assertThat(source.name()).isEqualTo("A");
        assertThat(source.main()).isTrue();
        assertThat(source.types()).containsExactly("A", "B", "C");
    }
}
