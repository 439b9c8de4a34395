package dev.serval.jsp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What applications with and without pages load and leave in the JVM, in a separate one.
@Timeout(240)
final class ChildJvmTest {
    private static final int ROUNDS = 50;
    private static final int METHODS = 400;
    private static final int BEANS = 20;

    @TempDir private Path folder;

    private List<String> run(List<String> options, JspApp app, String target, int rounds)
            throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        Path errors = folder.resolve("errors");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(
                List.of(
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                        "--add-opens=java.base/java.io=ALL-UNNAMED",
                        "-cp",
                        System.getProperty(
                                "surefire.test.class.path", System.getProperty("java.class.path")),
                        Rounds.class.getName(),
                        app.root().toString(),
                        folder.resolve("work").toString(),
                        target,
                        Integer.toString(rounds)));
        Process process =
                new ProcessBuilder(command)
                        .redirectOutput(output.toFile())
                        .redirectError(errors.toFile())
                        .start();
        try {
            assertThat(process.waitFor(200, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
            assertThat(Files.readString(errors)).doesNotContain("left something behind");
            return Files.readAllLines(output);
        } finally {
            process.destroyForcibly();
        }
    }

    /// Returns an application whose classes take about 3 MB of metaspace, used by EL and a tag.
    private static JspApp app() {
        StringBuilder page = new StringBuilder();
        JspApp app = new JspApp();
        for (int i = 0; i < BEANS; i++) {
            StringBuilder bean =
                    new StringBuilder("package gen;\npublic final class Bean" + i + " {\n");
            for (int k = 0; k < METHODS; k++) {
                bean.append("  public String getP%d() { return \"%d\"; }\n".formatted(k, k));
            }
            app.source("gen.Bean" + i, bean.append("}\n").toString());
            page.append("<jsp:useBean id=\"b").append(i).append("\" class=\"gen.Bean").append(i);
            page.append("\" scope=\"session\"/>${b").append(i).append(".p1}");
        }
        return app.file("a.jsp", page.toString())
                .file("WEB-INF/tags/t.tag", "<%@ attribute name=\"v\" %>[${v}]")
                .file(
                        "index.jsp",
                        "<%@ taglib prefix=\"t\" tagdir=\"/WEB-INF/tags\" %><jsp:include page=\"a.jsp\"/><t:t v=\"1\"/>");
    }

    @Test
    void fiftyDeploymentsFitIntoTheMemoryOfFew() throws Exception {
        try (JspApp app = app()) {
            List<String> answers =
                    run(
                            List.of(
                                    "-Xmx64m",
                                    "-XX:MaxMetaspaceSize=64m",
                                    "-XX:+ExitOnOutOfMemoryError"),
                            app,
                            "/index.jsp",
                            ROUNDS);
            assertThat(answers).hasSize(ROUNDS).allMatch(answer -> answer.endsWith("[1]"));
        }
    }

    @Test
    void applicationWithoutPagesLoadsNoJasper() throws Exception {
        Path log = folder.resolve("classes");
        List<String> options = List.of("-Xlog:class+load:file=" + log);
        try (JspApp app = new JspApp().webXml("").file("index.html", "plain").file("a.jsp", "p")) {
            assertThat(run(options, app, "/index.html", 1)).containsExactly("plain");
            assertThat(Files.readString(log))
                    .contains("dev.serval.jsp.JspPages")
                    .doesNotContain(" org.apache.jasper")
                    .doesNotContain(" org.apache.el")
                    .doesNotContain(" org.eclipse.jdt");
            assertThat(run(options, app, "/a.jsp", 1)).containsExactly("p");
            assertThat(Files.readString(log)).contains(" org.apache.jasper"); // the check works
        }
    }
}
