package dev.serval.jsp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What applications with and without pages load and leave in the JVM, in a separate one.
@Timeout(700)
final class RoundsTest {
    private static final int ROUNDS = 50;
    private static final int METHODS = 400;
    private static final int BEANS = 20;

    @TempDir private Path folder;

    /// Runs rounds in which the application leaves nothing behind.
    private List<String> run(List<String> options, JspApp app, String target, int rounds)
            throws IOException, InterruptedException {
        List<String> answers = runLeaky(options, app, target, rounds);
        assertThat(errors()).doesNotContain("left something behind");
        return answers;
    }

    private String errors() throws IOException {
        return Files.readString(folder.resolve("errors"));
    }

    private List<String> runLeaky(List<String> options, JspApp app, String target, int rounds)
            throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        Path errors = folder.resolve("errors");
        Process process =
                ChildJvm.command(
                                options,
                                Rounds.class,
                                app.root().toString(),
                                folder.resolve("work").toString(),
                                target,
                                Integer.toString(rounds))
                        .redirectOutput(output.toFile())
                        .redirectError(errors.toFile())
                        .start();
        try {
            assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
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

    @Tag("long")
    @Test
    void fiftyDeploymentsFitIntoTheMemoryOfFew() throws Exception {
        try (JspApp app = app()) {
            List<String> answers =
                    run(
                            List.of(
                                    "-XX:TieredStopAtLevel=1",
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
    void leakReportNamesWhatPagesLeaveBehind() throws Exception {
        String page =
                """
                <%! public static final class Endless implements Runnable {
                        public void run() { while (true) { java.util.concurrent.locks.LockSupport.park(); } }
                    }
                    public static final class Hook extends Thread {} %>
                <%  Thread left = new Thread(new Endless(), "left-by-page");
                    left.setContextClassLoader(ClassLoader.getSystemClassLoader());
                    left.setDaemon(true);
                    left.start();
                    Runtime.getRuntime().addShutdownHook(new Hook()); %>left
                """;
        try (JspApp app = new JspApp().webXml("").file("a.jsp", page)) {
            assertThat(runLeaky(List.of(), app, "/a.jsp", 1)).containsExactly("left");
        }
        assertThat(errors())
                .contains("thread \"left-by-page\" that runs org.apache.jsp.a_jsp$Endless")
                .contains("org.apache.jsp.a_jsp$Hook");
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
