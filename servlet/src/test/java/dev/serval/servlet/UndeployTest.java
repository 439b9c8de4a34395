package dev.serval.servlet;

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

/// What stays of an application after it was undeployed, in a separate JVM.
@Tag("long")
@Timeout(180)
final class UndeployTest {
    private static final int CLASSES = 200;

    /// Enough that one deployment takes about 3 MB of metaspace, so that 50 do not fit.
    private static final int METHODS = 60;

    private static final int ROUNDS = 50;
    private static final String SERVLET =
            """
            package demo;
            import jakarta.servlet.annotation.WebServlet;
            import jakarta.servlet.http.*;
            import java.io.IOException;
            @WebServlet("/all")
            public final class All extends HttpServlet {
                @Override protected void doGet(HttpServletRequest request, HttpServletResponse response)
                        throws IOException {
                    int loaded = 0;
                    try {
                        for (int i = 0; i < 200; i++) {
                            Class.forName("gen.C" + i).getDeclaredConstructor().newInstance();
                            loaded++;
                        }
                    } catch (ReflectiveOperationException e) {
                        throw new IOException(e);
                    }
                    request.getSession().setAttribute("own", new gen.C0());
                    response.getWriter().print(loaded + " classes");
                }
            }
            """;
    private static final String KEPT =
            """
            package demo;
            import jakarta.servlet.*;
            import jakarta.servlet.annotation.WebListener;
            @WebListener
            public final class Kept implements ServletContextListener {
                @Override public void contextInitialized(ServletContextEvent event) {
                    System.getProperties().put(new Object(), this);
                }
            }
            """;
    private static final String LEAKY =
            """
            package demo;
            import jakarta.servlet.*;
            import jakarta.servlet.annotation.WebListener;
            import java.sql.*;
            import java.util.Properties;
            @WebListener
            public final class Leaky implements ServletContextListener {
                public static final class Kept extends ThreadLocal<Object> {}
                public static final class Hook extends Thread {}
                public static final class OwnDriver implements Driver {
                    public Connection connect(String url, Properties p) { return null; }
                    public boolean acceptsURL(String url) { return false; }
                    public DriverPropertyInfo[] getPropertyInfo(String url, Properties p) { return null; }
                    public int getMajorVersion() { return 1; }
                    public int getMinorVersion() { return 0; }
                    public boolean jdbcCompliant() { return false; }
                    public java.util.logging.Logger getParentLogger() { return null; }
                }
                static final Kept KEPT = new Kept();
                static final java.util.Timer TIMER = new java.util.Timer("reminder", true);
                @Override public void contextInitialized(ServletContextEvent event) {
                    KEPT.set(this);
                    Runtime.getRuntime().addShutdownHook(new Hook());
                    try {
                        DriverManager.registerDriver(new OwnDriver());
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
            """;

    @TempDir private Path folder;

    private static AppFolder app() {
        AppFolder app =
                new AppFolder()
                        .source("demo.All", SERVLET)
                        .file(
                                "WEB-INF/web.xml",
                                "<web-app xmlns=\"https://jakarta.ee/xml/ns/jakartaee\""
                                        + " version=\"6.1\"/>");
        for (int i = 0; i < CLASSES; i++) {
            StringBuilder text =
                    new StringBuilder("package gen;\npublic final class C")
                            .append(i)
                            .append(" {\n");
            for (int k = 0; k < METHODS; k++) {
                text.append(
                        "    public String m%d(int a) { return \"%d\" + a; }\n".formatted(k, i));
            }
            app.source("gen.C" + i, text.append("}\n").toString());
        }
        return app;
    }

    /// Deploys and undeploys the application in a process with little memory.
    ///
    /// @return the exit code
    private int redeploy(AppFolder app, int rounds, Path output, Path errors) throws Exception {
        Process server =
                ChildJvm.command(
                                List.of(
                                        "-XX:TieredStopAtLevel=1",
                                        "-Xmx64m",
                                        "-XX:MaxMetaspaceSize=64m",
                                        "-XX:+ExitOnOutOfMemoryError"),
                                Redeployer.class,
                                app.root().toString(),
                                folder.resolve("work").toString(),
                                Integer.toString(rounds))
                        .redirectOutput(output.toFile())
                        .redirectError(errors.toFile())
                        .start();
        try {
            boolean ended = server.waitFor(150, TimeUnit.SECONDS);
            assertThat(ended).as(Files.readString(errors)).isTrue();
            return server.exitValue();
        } finally {
            server.destroyForcibly();
        }
    }

    private List<String> run(AppFolder app, int rounds, Path errors) throws Exception {
        Path output = folder.resolve("output");
        int exitCode = redeploy(app, rounds, output, errors);
        assertThat(exitCode).as(Files.readString(errors)).isZero();
        return Files.readAllLines(output);
    }

    @Test
    void fiftyDeploymentsFitIntoTheMemoryOfFew() throws Exception {
        Path errors = folder.resolve("errors");
        try (AppFolder app = app().compile()) {
            List<String> answers = run(app, ROUNDS, errors);
            System.out.println(String.join("\n", answers));
            assertThat(answers)
                    .hasSize(ROUNDS)
                    .allMatch(answer -> answer.startsWith(CLASSES + " classes"));
        }
        assertThat(Files.readString(errors)).doesNotContain("left something behind");
    }

    /// The control of the test above: an application that the JVM keeps needs more memory than
    /// there is.
    @Test
    void fiftyDeploymentsDoNotFitIfTheJvmKeepsEach() throws Exception {
        Path output = folder.resolve("output");
        Path errors = folder.resolve("errors");
        try (AppFolder app = app().source("demo.Kept", KEPT).compile()) {
            int exitCode = redeploy(app, ROUNDS, output, errors);
            assertThat(exitCode).as(Files.readString(output)).isNotZero();
        }
        List<String> answers = Files.readAllLines(output); // and the last line, of the JVM
        System.out.println(answers.size() - 1 + " deployments before the end of the memory");
        assertThat(answers).hasSizeBetween(2, ROUNDS);
        assertThat(answers.getLast()).contains("OutOfMemoryError");
    }

    @Test
    void namesEachThingThatTheApplicationLeft() throws Exception {
        Path errors = folder.resolve("errors");
        try (AppFolder app = app().source("demo.Leaky", LEAKY).compile()) {
            assertThat(run(app, 1, errors)).hasSize(1);
        }
        assertThat(warnings(errors))
                .anyMatch(line -> line.contains("TIMER") && line.contains("reminder"))
                .anyMatch(line -> line.contains("THREAD_LOCAL") && line.contains("demo.Leaky$Kept"))
                .anyMatch(line -> line.contains("JDBC_DRIVER") && line.contains("$OwnDriver"))
                .anyMatch(line -> line.contains("SHUTDOWN_HOOK") && line.contains("$Hook"))
                .hasSize(4);
    }

    private static List<String> warnings(Path errors) throws IOException {
        return Files.readAllLines(errors).stream()
                .filter(line -> line.contains("left something behind"))
                .toList();
    }
}
