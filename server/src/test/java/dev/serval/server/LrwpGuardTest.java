package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.site.TestArchive;
import dev.serval.testkit.DeadPort;
import dev.serval.testkit.RawClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Any user of the machine can dial in to `serval run --lrwp`, but takes no requests from what the
/// command line serves.
@Timeout(120)
final class LrwpGuardTest {
    private static final String SERVLET =
            """
            @jakarta.servlet.annotation.WebServlet("/hello")
            public class Hello extends jakarta.servlet.http.HttpServlet {
                protected void doGet(jakarta.servlet.http.HttpServletRequest request,
                        jakarta.servlet.http.HttpServletResponse response)
                        throws java.io.IOException {
                    response.getWriter().print("hello");
                }
            }
            """;

    @TempDir Path folder;
    private Path war;
    private Path site;

    @BeforeEach
    void prepare() throws IOException {
        war = TestArchive.write(folder, "shop.war", "<web-app/>", SERVLET);
        site = Files.createDirectory(folder.resolve("site"));
        Files.writeString(site.resolve("index.html"), "files");
    }

    private ServerProcess started(String... mounts) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("run", "--port", "0", "--app-logs", "none", "--lrwp", "0"));
        arguments.addAll(List.of(mounts));
        ServerProcess server = ServerProcess.start(environment(), arguments);
        server.awaitLine("Ctrl-C stops it.");
        return server;
    }

    private Map<String, String> environment() {
        return Map.of("XDG_RUNTIME_DIR", folder.toString(), "XDG_CACHE_HOME", folder + "/caches");
    }

    private void serval(String... arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(ServerProcess.command(List.of(arguments)));
        builder.environment().putAll(environment());
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        Process process = builder.start();
        try {
            assertThat(process.waitFor()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    private static RawClient peer(ServerProcess server, String name) {
        byte[] startup = (name + "\u00ff\u00ff").getBytes(StandardCharsets.ISO_8859_1);
        return RawClient.connect(server.lrwpAddress()).send(startup);
    }

    private static void assertRefused(ServerProcess server, String name) {
        try (RawClient peer = peer(server, name)) {
            String prefix = "ERROR: Application not permitted: this path belongs to";
            assertThat(new String(peer.bytes(prefix.length()), StandardCharsets.ISO_8859_1))
                    .isEqualTo(prefix);
        }
    }

    private static void assertTaken(ServerProcess server, String name) {
        try (RawClient peer = peer(server, name)) {
            assertThat(peer.bytes(2)).containsExactly('O', 'K');
        }
    }

    @Test
    void mountedApplicationAndNeighbourKeepTheirRequests() throws Exception {
        try (DeadPort dead = DeadPort.open();
                ServerProcess server =
                        started(
                                "/=" + site,
                                "/shop=" + war,
                                "/api=http://127.0.0.1:" + dead.number())) {
            assertThat(server.lrwpLine())
                    .endsWith("any name, except at /api, /shop (see --lrwp-allow)");
            for (String name : List.of("shop", "shop/hello", "api", "/")) {
                assertRefused(server, name);
            }
            assertTaken(server, "other");
            assertTaken(server, "index.html"); // in front of files
            assertThat(server.get("/shop/hello").text()).isEqualTo("hello");
        }
    }

    @Test
    void applicationThatIsDeployedLaterIsGuardedUntilItIsUndeployed() throws Exception {
        try (ServerProcess server = started("/=" + site);
                RawClient early = peer(server, "shop")) {
            assertThat(early.bytes(2)).containsExactly('O', 'K');
            serval("deploy", "/shop=" + war);
            assertThat(server.get("/shop/hello").text()).isEqualTo("hello");
            assertRefused(server, "shop");
            serval("undeploy", "/shop");
            assertTaken(server, "shop");
        }
    }

    @Test
    void ruleOfTheCommandLineLetsAnApplicationInFront() throws Exception {
        try (ServerProcess server = started("/shop=" + war, "--lrwp-allow", "shop")) {
            assertThat(server.lrwpLine()).endsWith("only shop");
            assertTaken(server, "shop");
        }
    }
}
