package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.serval.figures.Metric;
import dev.serval.figures.StrictParser;
import dev.serval.figures.StrictParser.Family;
import dev.serval.site.TestArchive;
import dev.serval.testkit.DeadPort;
import dev.serval.testkit.FreePort;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The metrics of a server process, as a scraper reads them.
@Timeout(120)
final class MetricsRunTest {
    private static final String OPENMETRICS =
            "application/openmetrics-text;version=1.0.0;q=0.75,text/plain;version=0.0.4;q=0.5";
    private static final String ADMIN = "admin:correct horse battery";
    private static final String READER = "metrics:the password of metrics";
    private static final String SERVLET =
            """
            @jakarta.servlet.annotation.WebServlet("/hello")
            public final class Hello extends jakarta.servlet.http.HttpServlet {
                @Override
                protected void doGet(
                        jakarta.servlet.http.HttpServletRequest request,
                        jakarta.servlet.http.HttpServletResponse response)
                        throws java.io.IOException {
                    request.getSession();
                    response.getWriter().print("hello");
                }
            }
            """;

    @TempDir Path folder;
    private InetSocketAddress administration = new InetSocketAddress(0);

    @Test
    void scraperReadsWhatTheServerDoes() throws Exception {
        try (DeadPort dead = DeadPort.open();
                ServerProcess server = started(dead)) {
            for (String path : List.of("/", "/none", "/shop/hello", "/shop/hello", "/dead/x")) {
                RawResponse _ = server.get(path);
            }
            try (RawClient client = RawClient.connect(server.socketAddress())) {
                RawResponse _ = client.exchange("GET / HTTP/1.1\r\nHost: a b\r\n\r\n");
            }
            RawResponse plain = read(ADMIN, "/metrics", "");
            Map<String, Family> families = parsed(plain);
            assertThat(families.keySet()).isSubsetOf(names());
            assertThat(value(families, "serval_requests_total", "mount", "/", "status", "2xx"))
                    .isEqualTo(1);
            assertThat(value(families, "serval_requests_total", "mount", "/", "status", "4xx"))
                    .isEqualTo(1);
            assertThat(value(families, "serval_requests_total", "mount", "/shop", "status", "2xx"))
                    .isEqualTo(2);
            assertThat(value(families, "serval_requests_total", "mount", "/dead", "status", "5xx"))
                    .isEqualTo(1);
            assertThat(value(families, "serval_requests_total", "mount", "other", "status", "4xx"))
                    .isEqualTo(1);
            assertThat(
                            value(
                                    families,
                                    "serval_sessions",
                                    "application",
                                    "/shop",
                                    "place",
                                    "memory"))
                    .isEqualTo(2);
            assertThat(value(families, "serval_protocol_errors_total")).isEqualTo(1);
            assertThat(value(families, "serval_metrics_dropped_series")).isZero();
            assertThat(StrictParser.family(families, "serval_refusals_total").samples()).hasSize(1);
            assertThat(StrictParser.family(families, "serval_upstream_up").samples()).hasSize(1);
            assertThat(StrictParser.family(families, "serval_pool_refusals_total").samples())
                    .anyMatch(one ->
                            "unreachable".equals(one.labels().get("reason")) && one.value() == 1);
            assertThat(families)
                    .containsKeys(
                            "serval_request_duration_seconds",
                            "serval_request_phase_seconds",
                            "serval_loop_turn_seconds",
                            "serval_servlet_duration_seconds",
                            "jvm_gc_collection_seconds",
                            "process_cpu_seconds_total")
                    .doesNotContainKey("serval_events_total");
            assertThat(plain.text()).doesNotContain("mount=\"administration\"");
            assertThat(read(ADMIN, "/health", "").status()).isEqualTo(200);
            assertThat(read(ADMIN, "/metrics", "").text())
                    .contains("serval_requests_total{mount=\"administration\",status=\"2xx\"} 2\n")
                    .doesNotContain("serval_requests_total{mount=\"other\",status=\"2xx\"}");
        }
    }

    @Test
    void scraperWhoWantsOpenMetricsGetsIt() throws Exception {
        try (DeadPort dead = DeadPort.open();
                ServerProcess server = started(dead)) {
            RawResponse _ = server.get("/shop/hello");
            RawResponse open = read(ADMIN, "/metrics", "Accept: " + OPENMETRICS + "\r\n");
            assertThat(open.field("Content-Type"))
                    .isEqualTo("application/openmetrics-text; version=1.0.0; charset=utf-8");
            assertThat(open.field("Vary")).isEqualTo("Accept");
            assertThat(parsed(open)).containsKeys("serval_build", "serval_requests");
        }
    }

    @Test
    void userOfMetricsReadsNothingElse() throws Exception {
        try (DeadPort dead = DeadPort.open();
                ServerProcess server = started(dead)) {
            assertThat(read(READER, "/metrics", "").status()).isEqualTo(200);
            for (String path : List.of("/config", "/status")) {
                assertThat(read(READER, path, "").status()).as(path).isEqualTo(401);
            }
            assertThat(send(READER, "POST /metrics", "Content-Length: 0\r\n").status())
                    .isEqualTo(401);
            assertThat(read("metrics:" + ADMIN.substring(6), "/metrics", "").status())
                    .isEqualTo(401);
            assertThat(read("admin:" + READER.substring(8), "/config", "").status()).isEqualTo(401);
            assertThat(server.isAlive()).isTrue();
        }
    }

    @Test
    void promtoolFindsNothingWrong() throws Exception {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(":"))
                        .anyMatch(one -> Files.isExecutable(Path.of(one, "promtool"))),
                "needs promtool (Debian package prometheus)");
        try (DeadPort dead = DeadPort.open();
                ServerProcess server = started(dead)) {
            RawResponse _ = server.get("/shop/hello");
            Process promtool =
                    new ProcessBuilder("promtool", "check", "metrics")
                            .redirectErrorStream(true)
                            .start();
            try (OutputStream in = promtool.getOutputStream()) {
                in.write(read(ADMIN, "/metrics", "").body());
            }
            String said =
                    new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(promtool.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(said).isEmpty();
            assertThat(promtool.exitValue()).isZero();
        }
    }

    private ServerProcess started(DeadPort dead) throws IOException {
        Path site = Files.createDirectories(folder.resolve("site"));
        Files.writeString(site.resolve("index.html"), "index");
        TestArchive.write(folder, "shop.war", "<web-app/>", SERVLET);
        Files.writeString(folder.resolve("password"), ADMIN.substring(6) + "\n");
        Files.writeString(folder.resolve("reader"), READER.substring(8) + "\n");
        int port = FreePort.find();
        administration = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        Path file = folder.resolve("serval.toml");
        Files.writeString(
                file,
                """
                applications.logs = "none"
                listener = [{ address = "0" }]
                mount = [
                    { folder = "site" },
                    { at = "/shop", app = "shop.war" },
                    { at = "/dead", proxy = "http://127.0.0.1:DEAD" },
                ]
                [admin]
                listen = "127.0.0.1:PORT"
                password-file = "password"
                metrics-password-file = "reader"
                """
                        .replace("DEAD", Integer.toString(dead.number()))
                        .replace("PORT", Integer.toString(port)));
        ServerProcess server =
                ServerProcess.start(
                        Map.of("XDG_RUNTIME_DIR", folder.toString()),
                        List.of("run", "--config", file.toString()));
        server.awaitLine("Ctrl-C stops it.");
        return server;
    }

    private RawResponse read(String login, String path, String fields) {
        return send(login, "GET " + path, fields);
    }

    private RawResponse send(String login, String line, String fields) {
        String encoded = Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
        try (RawClient client = RawClient.connect(administration)) {
            return client.exchange(
                    line
                            + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic "
                            + encoded
                            + "\r\n"
                            + fields
                            + "\r\n");
        }
    }

    private static Map<String, Family> parsed(RawResponse response) {
        assertThat(response.status()).isEqualTo(200);
        return StrictParser.parse(
                String.valueOf(response.field("Content-Type")),
                new String(response.body(), StandardCharsets.UTF_8));
    }

    private static double value(Map<String, Family> families, String name, String... labels) {
        for (StrictParser.Sample sample : StrictParser.family(families, name).samples()) {
            boolean same = true;
            for (int i = 0; i < labels.length; i += 2) {
                same &= labels[i + 1].equals(sample.labels().get(labels[i]));
            }
            if (same) {
                return sample.value();
            }
        }
        throw new AssertionError(name + " has no such sample: " + List.of(labels));
    }

    private static Set<String> names() {
        return Stream.of(Metric.values()).map(Metric::text).collect(Collectors.toSet());
    }
}
