package dev.serval.testkit.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.TempTree;
import java.io.IOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ReportsTest {
    private final TempTree tree = TempTree.create();

    @BeforeEach
    void twoModules() {
        tree.file("engine/pom.xml", "");
        tree.file("examples/one/pom.xml", "");
    }

    @AfterEach
    void delete() {
        tree.close();
    }

    @Test
    void readsTheReportsOfEveryModule() throws IOException {
        report("engine", "a.FooTest");
        report("examples/one", "b.BarTest");
        assertThat(Reports.read(tree.root(), false).tests())
                .extracting(result -> result.module() + " " + result.title())
                .containsExactly("engine FooTest.x", "examples/one BarTest.x");
    }

    @Test
    void namesTestClassesWithoutReport() throws IOException {
        report("engine", "a.FooTest");
        report("engine", "a.OuterTest$Inner");
        compiled("engine", "FooTest", ClassFile.ACC_FINAL);
        compiled("engine", "OuterTest", ClassFile.ACC_FINAL);
        compiled("engine", "CrashTest", ClassFile.ACC_FINAL);
        compiled("engine", "CrashTest$Inner", ClassFile.ACC_FINAL);
        compiled("engine", "DeepFuzz", ClassFile.ACC_FINAL);
        compiled("engine", "SharedTest", ClassFile.ACC_ABSTRACT);
        compiled("engine", "Site", ClassFile.ACC_FINAL);
        assertThat(Reports.read(tree.root(), false).lost())
                .containsExactly("engine: a.CrashTest", "engine: a.DeepFuzz");
    }

    @Test
    void longTestsAreLeftOutInsteadOfLost() throws IOException {
        report("engine", "a.FooTest");
        compiled("engine", "FooTest", ClassFile.ACC_FINAL);
        tagged("StressTest", "long");
        tagged("OtherTest", "other");
        Reports reports = Reports.read(tree.root(), true);
        assertThat(reports.leftOut()).containsExactly("StressTest");
        assertThat(reports.lost()).containsExactly("engine: a.OtherTest");
        assertThat(Reports.read(tree.root(), false).lost())
                .containsExactly("engine: a.OtherTest", "engine: a.StressTest");
    }

    @Test
    void unreachedModuleHasNoLostClasses() throws IOException {
        compiled("engine", "FooTest", ClassFile.ACC_FINAL);
        assertThat(Reports.read(tree.root(), false).lost()).isEmpty();
    }

    @Test
    void deletesReportsOfAnEarlierRun() throws IOException {
        report("engine", "a.FooTest");
        tree.file("engine/target/surefire-reports/a.FooTest-output.txt", "x");
        Reports.clear(tree.root());
        assertThat(tree.path("engine/target/surefire-reports")).isEmptyDirectory();
        assertThat(Reports.read(tree.root(), false).tests()).isEmpty();
    }

    private void report(String module, String type) {
        tree.file(
                module + "/target/surefire-reports/TEST-" + type + ".xml",
                "<testsuite><testcase classname=\"" + type + "\" name=\"x\"/></testsuite>");
    }

    private void compiled(String module, String type, int flags) throws IOException {
        byte[] bytes = ClassFile.of().build(ClassDesc.of("a", type), made -> made.withFlags(flags));
        Files.write(tree.file(module + "/target/test-classes/a/" + type + ".class", ""), bytes);
    }

    private void tagged(String type, String word) throws IOException {
        Annotation tag =
                Annotation.of(
                        ClassDesc.of("org.junit.jupiter.api.Tag"),
                        AnnotationElement.ofString("value", word));
        byte[] bytes =
                ClassFile.of()
                        .build(
                                ClassDesc.of("a", type),
                                made -> made.with(RuntimeVisibleAnnotationsAttribute.of(tag)));
        Files.write(tree.file("engine/target/test-classes/a/" + type + ".class", ""), bytes);
    }
}
