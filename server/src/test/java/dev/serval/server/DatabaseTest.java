package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.site.TestArchive;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Databases for applications, from the command line and from web.xml.
@Timeout(120)
final class DatabaseTest {
    private static final String SERVLET =
            """
            @jakarta.servlet.annotation.WebServlet("/hello")
            public class Hello extends jakarta.servlet.http.HttpServlet {
                @jakarta.annotation.Resource(name = "jdbc/shop")
                private javax.sql.DataSource shop;
                protected void doGet(jakarta.servlet.http.HttpServletRequest request,
                        jakarta.servlet.http.HttpServletResponse response)
                        throws java.io.IOException, jakarta.servlet.ServletException {
                    try {
                        javax.sql.DataSource named = (javax.sql.DataSource)
                                new javax.naming.InitialContext()
                                        .lookup("java:comp/env/jdbc/shop");
                        try (var connection = shop.getConnection();
                                var rows = connection.createStatement()
                                        .executeQuery("select 6 * 7, user()")) {
                            rows.next();
                            response.getWriter().print((named == shop) + " " + rows.getInt(1)
                                    + " " + rows.getString(2)
                                    + " " + connection.getMetaData().getURL());
                        }
                    } catch (javax.naming.NamingException | java.sql.SQLException e) {
                        throw new jakarta.servlet.ServletException(e);
                    }
                }
            }
            """;
    private static final String DECLARED =
            """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
              <data-source>
                <name>java:comp/env/jdbc/shop</name>
                <class-name>org.h2.Driver</class-name>
                <url>jdbc:h2:mem:declared</url>
                <user>ann</user>
                <password>secret</password>
                <max-pool-size>3</max-pool-size>
              </data-source>
            </web-app>
            """;

    @TempDir Path folder;

    private ServerProcess start(String webXml, Map<String, String> environment, String... more)
            throws Exception {
        Path war = TestArchive.write(folder, "shop.war", webXml, SERVLET);
        ServerProcess server =
                ServerProcess.start(
                        environment,
                        Stream.concat(
                                        List.of("run", "--port", "0", "--app-logs", "none")
                                                .stream(),
                                        Stream.concat(
                                                List.of(more).stream(), Stream.of(war.toString())))
                                .toList());
        return server;
    }

    @Test
    void applicationGetsTheDataSourceThatItDeclares() throws Exception {
        try (ServerProcess server = start(DECLARED, Map.of())) {
            server.awaitLine("Ctrl-C stops it.");
            assertThat(server.get("/hello").text()).isEqualTo("true 42 ANN jdbc:h2:mem:declared");
            server.signal("TERM");
            assertThat(server.exitCode()).isZero();
            assertThat(server.errors()).doesNotContain("left something behind");
        }
    }

    @Test
    void applicationGetsTheDataSourceOfItsAnnotation() throws Exception {
        String annotated =
                """
                @jakarta.annotation.sql.DataSourceDefinition(
                        name = "java:app/jdbc/annotated", className = "org.h2.jdbcx.JdbcDataSource",
                        url = "jdbc:h2:mem:annotated", user = "eve", password = "secret",
                        isolationLevel = java.sql.Connection.TRANSACTION_SERIALIZABLE)
                """
                        + SERVLET.replace("\"jdbc/shop\"", "\"jdbc/shop\", lookup = LOOKUP")
                                .replace("java:comp/env/jdbc/shop", "java:app/jdbc/annotated")
                                .replace("LOOKUP", "\"java:app/jdbc/annotated\"")
                                .replace(
                                        "connection.getMetaData().getURL()",
                                        "connection.getMetaData().getURL() + \" \""
                                                + " + connection.getTransactionIsolation()");
        Path war = TestArchive.write(folder, "shop.war", "<web-app/>", annotated);
        try (ServerProcess server =
                ServerProcess.ready("run", "--port", "0", "--app-logs", "none", war.toString())) {
            assertThat(server.get("/hello").text())
                    .isEqualTo("true 42 EVE jdbc:h2:mem:annotated 8");
        }
    }

    @Test
    void dataSourceOfTheCommandLineComesFirst() throws Exception {
        Map<String, String> user =
                Map.of("SERVAL_JDBC_SHOP_USER", "bob", "SERVAL_JDBC_SHOP_PASSWORD", "secret");
        try (ServerProcess server =
                start(DECLARED, user, "--data-source", "jdbc/shop=jdbc:h2:mem:given")) {
            server.awaitLine("Ctrl-C stops it.");
            assertThat(server.get("/hello").text()).isEqualTo("true 42 BOB jdbc:h2:mem:given");
        }
    }

    @Test
    void applicationWithoutADriverIsRefused() throws Exception {
        String wrong = DECLARED.replace("org.h2.Driver", "com.acme.Driver");
        try (ServerProcess server = start(wrong, Map.of())) {
            assertThat(server.exitCode()).isEqualTo(1);
            assertThat(server.errors())
                    .contains(
                            "web.xml:2:", "com.acme.Driver", "Add the driver's jar to WEB-INF/lib");
        }
    }

    @Test
    void urlThatNoDriverKnowsIsRefused() throws Exception {
        try (ServerProcess server =
                start(
                        "<web-app/>",
                        Map.of(),
                        "--data-source",
                        "jdbc/shop=jdbc:acme:x?password=geheim")) {
            assertThat(server.exitCode()).isEqualTo(1);
            assertThat(server.errors())
                    .contains("no driver knows the URL \"jdbc:acme:x\"")
                    .doesNotContain("geheim");
        }
    }

    @Test
    void wrongOptionIsExplained() throws Exception {
        try (ServerProcess server =
                start(
                        "<web-app/>",
                        Map.of(),
                        "--data-source",
                        "jdbc/shop=pg://ann:geheim@db",
                        "--sessions",
                        "pg://ann:geheim@db")) {
            assertThat(server.exitCode()).isEqualTo(2);
            assertThat(server.errors())
                    .contains("--data-source takes a name and a URL", "--sessions takes")
                    .doesNotContain("geheim");
        }
    }
}
