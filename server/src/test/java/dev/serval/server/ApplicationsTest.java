package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.site.TestArchive;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Servlet applications in a server process, started as a user starts them.
@Timeout(120)
final class ApplicationsTest {
    private static final String SERVLET =
            """
            @jakarta.servlet.annotation.WebServlet("/hello")
            public class Hello extends jakarta.servlet.http.HttpServlet {
                protected void doGet(jakarta.servlet.http.HttpServletRequest request,
                        jakarta.servlet.http.HttpServletResponse response)
                        throws java.io.IOException {
                    if (request.getParameter("fail") != null) {
                        throw new IllegalStateException("cart <7> is broken");
                    }
                    if (request.getParameter("exit") != null) {
                        System.exit(3);
                    }
                    if (request.getParameter("print") != null) {
                        print(request.getParameter("print"));
                    }
                    if (request.getParameter("session") != null) {
                        request.getSession();
                    }
                    while (request.getParameter("spin") != null) {
                        Thread.onSpinWait();
                    }
                    response.getWriter().print("hello from " + request.getContextPath());
                }
                private void print(String text) {
                    System.out.println(text + " by out");
                    System.err.println(text + " by err");
                    java.util.logging.Logger.getLogger("demo").warning(text + " by JUL");
                    System.getLogger("demo").log(System.Logger.Level.INFO, text + " by logger");
                    getServletContext().log(text + " by context");
                    java.util.concurrent.ForkJoinPool.commonPool()
                            .submit(() -> System.out.println(text + " by pool")).join();
                }
            }
            """;

    @TempDir Path folder;

    @Test
    void servesServletsAndFilesOfTwoArchivesBesideAFolder() throws Exception {
        Path shop = archive("shop.war", "<web-app/>");
        Path root = archive("ROOT.war", "<web-app/>");
        Path site = Files.createDirectory(folder.resolve("site"));
        Files.writeString(site.resolve("index.html"), "plain");

        try (var server =
                ServerProcess.ready(
                        "run", "--port", "0", shop.toString(), root.toString(), "/site=" + site)) {
            assertThat(server.get("/shop/hello").text()).isEqualTo("hello from /shop");
            assertThat(server.get("/hello").text()).isEqualTo("hello from ");
            RawResponse page = server.get("/shop/");
            assertThat(page.text()).isEqualTo("<p>index</p>");
            assertThat(page.field("Content-Type")).isEqualTo("text/html; charset=utf-8");
            assertThat(server.get("/shop").status()).isEqualTo(302);
            assertThat(server.get("/shop/WEB-INF/web.xml").status()).isEqualTo(404);
            assertThat(server.get("/shop/web-inf/web.xml").status()).isEqualTo(404);
            assertThat(server.get("/site/").text()).isEqualTo("plain");
            assertThat(server.readyLines()).anyMatch(line -> line.contains("(application)"));
        }
    }

    /// A URI cannot have these names as they are, so all that a client gets has them encoded.
    @Test
    void namesWithSpacesAndLettersBeyondAsciiAreServed() throws Exception {
        Path war = archive("my app.war", "<web-app/>");
        Path config =
                Files.writeString(
                        folder.resolve("serval.toml"),
                        """
                        [[listener]]
                        address = "127.0.0.1:0"
                        [[mount]]
                        at = "/caf\u00e9"
                        app = "my app.war"
                        """);
        Path site = Files.createDirectory(folder.resolve("site"));

        try (var server =
                ServerProcess.ready("run", "--port", "0", war.toString(), "/files=" + site)) {
            servesAt("/my%20app", server);
        }
        try (var server = ServerProcess.ready("run", "--config", config.toString())) {
            servesAt("/caf%C3%A9", server);
        }
    }

    private static void servesAt(String encoded, ServerProcess server) {
        assertThat(server.address().getRawPath()).isEqualTo(encoded + "/");
        assertThat(server.get(encoded).field("Location")).isEqualTo(encoded + "/");
        RawResponse hello = server.get(encoded + "/hello?session");
        assertThat(hello.text()).isEqualTo("hello from " + encoded);
        assertThat(hello.field("Set-Cookie") + ";").contains("; Path=" + encoded + ";");
    }

    /// Spring Boot does so, to send the records of all loggers to Logback.
    @Test
    void serverStillLogsAfterAnApplicationHasRemovedTheHandlersOfTheJdk() throws Exception {
        Path app = folder.resolve("app");
        Files.createDirectories(app.resolve("WEB-INF"));
        Files.writeString(
                app.resolve("remove.jsp"),
                """
                <% java.util.logging.Logger root = java.util.logging.Logger.getLogger("");
                for (java.util.logging.Handler each : root.getHandlers()) root.removeHandler(each); %>
                """);
        Files.writeString(app.resolve("fail.jsp"), "<% response.setStatus(102); %>");

        try (var server =
                ServerProcess.ready("run", "--port", "0", "--app-logs", "none", app.toString())) {
            assertThat(server.get("/remove.jsp").status()).isEqualTo(200);
            assertThat(server.get("/fail.jsp").status()).isEqualTo(500);
            server.signal("TERM");
            assertThat(server.exitCode()).isZero();
            assertThat(server.errors()).contains("A handler failed");
        }
    }

    @Test
    void brokenApplicationIsRefusedWithLineAndColumnAndTheOthersRun() throws Exception {
        Path broken = archive("broken.war", "<web-app>\n  <servlt/>\n</web-app>");
        Path good = archive("good.war", "<web-app/>");

        try (var server =
                ServerProcess.ready("run", "--port", "0", broken.toString(), good.toString())) {
            assertThat(server.get("/good/hello").text()).isEqualTo("hello from /good");
            assertThat(server.get("/broken/hello").status()).isEqualTo(404);
            server.signal("TERM");
            assertThat(server.exitCode()).isZero();
            assertThat(server.errors())
                    .contains("broken.war was not started: WEB-INF/web.xml:2:", "servlt");
        }
    }

    @Test
    void applicationWithAFolderThatCannotBeReadIsRefusedAndTheOthersRun() throws Exception {
        Path broken = folder.resolve("broken");
        Path classes = Files.createDirectories(broken.resolve("WEB-INF/classes"));
        Path long1 = Files.createDirectories(classes.resolve(("x".repeat(200) + "/").repeat(9)));
        // Too long for the system as a whole, which even the user root cannot read.
        Path apart = folder.resolve("apart");
        Files.createDirectories(apart.resolve(("y".repeat(200) + "/").repeat(15)));
        Path deep = Files.move(apart, long1.resolve("deep"));
        Path good = archive("good.war", "<web-app/>");

        try (var server =
                ServerProcess.ready("run", "--port", "0", broken.toString(), good.toString())) {
            assertThat(server.get("/good/hello").text()).isEqualTo("hello from /good");
            server.signal("TERM");
            assertThat(server.exitCode()).isZero();
            assertThat(server.errors())
                    .contains("broken was not started: WEB-INF/classes cannot be read: ");
        } finally {
            Files.move(deep, apart); // so that it can be deleted
        }
    }

    @Test
    void serverEndsIfNoApplicationIsLeft() throws Exception {
        Path broken = archive("broken.war", "<web-app><servlet>");

        try (var server = ServerProcess.start(List.of("run", "--port", "0", broken.toString()))) {
            assertThat(server.exitCode()).isEqualTo(1);
            assertThat(server.errors()).contains("No application could be started");
        }
    }

    @Test
    void onlyDevelopmentModeShowsWhyAServletFailed() throws Exception {
        String shop = archive("shop.war", "<web-app/>").toString();
        try (var server = ServerProcess.ready("run", "--port", "0", "--dev", shop)) {
            RawResponse page = server.get("/hello?fail");
            assertThat(page.status()).isEqualTo(500);
            assertThat(page.text())
                    .contains("java.lang.IllegalStateException", "cart &lt;7&gt; is broken")
                    .contains("<b>Hello.doGet(Hello.java:7)</b>");
        }
        try (var server = ServerProcess.ready("run", "--port", "0", shop)) {
            RawResponse page = server.get("/hello?fail");
            assertThat(page.status()).isEqualTo(500);
            assertThat(page.text()).doesNotContain("IllegalState", "cart", "Hello.java");
        }
    }

    @Test
    void eachApplicationHasItsOwnLog() throws Exception {
        Path shop = archive("shop.war", "<web-app/>");
        Path root = archive("ROOT.war", "<web-app/>");
        Path logs = folder.resolve("logs");

        try (var server =
                ServerProcess.ready(
                        "run",
                        "--port",
                        "0",
                        "--app-logs",
                        logs.toString(),
                        shop.toString(),
                        root.toString())) {
            assertThat(server.screen())
                    .anyMatch(line -> line.endsWith(logs.resolve("shop.log").toString()));
            server.get("/shop/hello?print=one");
            server.get("/hello?print=two");
            assertThat(server.get("/shop/hello?fail").status()).isEqualTo(500);
            server.signal("TERM");
            assertThat(server.exitCode()).isZero();
            assertThat(Files.readString(logs.resolve("shop.log")))
                    .contains("one by out\n", "one by err\n", "one by JUL\n", "one by logger\n")
                    .contains("INFO one by context\n", "one by pool\n")
                    .contains("ERROR The servlet \"Hello\" failed: GET /shop/hello\n")
                    .contains("IllegalStateException: cart <7> is broken\n\tat ")
                    .doesNotContain("two");
            assertThat(Files.readString(logs.resolve("ROOT.log")))
                    .contains("two by out\n", "two by err\n", "two by JUL\n", "two by logger\n")
                    .contains("INFO two by context\n", "two by pool\n")
                    .doesNotContain("one");
            assertThat(server.errors()).doesNotContain("one", "two", "cart");
        }
    }

    @Test
    void withoutAFolderForLogsApplicationsPrintToTheStandardStreams() throws Exception {
        String shop = archive("shop.war", "<web-app/>").toString();
        try (var server = ServerProcess.ready("run", "--port", "0", "--app-logs", "none", shop)) {
            server.get("/hello?print=one");
            server.awaitLine("one by out");
            server.signal("TERM");
            assertThat(server.exitCode()).isZero();
            assertThat(server.errors()).contains("one by err", "one by JUL", "one by context");
        }
    }

    @Test
    void folderThatCannotBeWrittenIsReportedOnceAndRequestsAreAnswered() throws Exception {
        String shop = archive("shop.war", "<web-app/>").toString();
        Path file = Files.writeString(folder.resolve("file"), "");
        try (var server =
                ServerProcess.ready("run", "--port", "0", "--app-logs", file + "/logs", shop)) {
            assertThat(server.get("/hello?print=one").text()).isEqualTo("hello from ");
            server.signal("TERM");
            assertThat(server.exitCode()).isZero();
            assertThat(server.errors().split("cannot create the folder for logs", -1)).hasSize(2);
        }
    }

    @Test
    void exitOfAnApplicationDoesNotEndTheServer() throws Exception {
        String shop = archive("shop.war", "<web-app/>").toString();
        Path logs = folder.resolve("logs");
        try (var server =
                ServerProcess.ready("run", "--port", "0", "--app-logs", logs.toString(), shop)) {
            assertThat(server.get("/hello?exit").status()).isEqualTo(500);
            assertThat(server.get("/hello").text()).isEqualTo("hello from ");
            server.signal("TERM");
            assertThat(server.exitCode()).isZero();
            assertThat(Files.readString(logs.resolve("ROOT.log")))
                    .contains("SecurityException: The application ROOT called System.exit");
        }
    }

    @Test
    void requestThatTakesTooLongIsEndedAndItsPlaceIsLogged() throws Exception {
        String shop = archive("shop.war", "<web-app/>").toString();
        Path logs = folder.resolve("logs");
        try (var server =
                ServerProcess.ready(
                        "run",
                        "--port",
                        "0",
                        "--app-logs",
                        logs.toString(),
                        "--request-time-limit",
                        "3s",
                        shop)) {
            assertThat(server.get("/hello?spin").status()).isEqualTo(503);
            assertThat(server.get("/hello").text()).isEqualTo("hello from ");
            Await.until(
                    "the log shows the place",
                    () -> read(logs.resolve("ROOT.log")).contains("\tat Hello.doGet("));
            assertThat(read(logs.resolve("ROOT.log")))
                    .contains("ERROR GET /hello still runs after ", "the limit of 3 s");
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path archive(String name, String webXml) throws IOException {
        return TestArchive.write(folder, name, webXml, SERVLET);
    }
}
