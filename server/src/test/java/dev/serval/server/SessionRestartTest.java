package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server that is killed under load and started again has every session that it has answered.
@Timeout(180)
final class SessionRestartTest {
    private static final String SERVLET =
            """
            @jakarta.servlet.annotation.WebServlet("/count")
            public class Count extends jakarta.servlet.http.HttpServlet {
                protected void doGet(jakarta.servlet.http.HttpServletRequest request,
                        jakarta.servlet.http.HttpServletResponse response)
                        throws java.io.IOException {
                    jakarta.servlet.http.HttpSession session = request.getSession();
                    Integer before = (Integer) session.getAttribute("n");
                    int now = before == null ? 1 : before + 1;
                    session.setAttribute("n", now);
                    response.setContentType("text/plain");
                    response.getWriter().print(now);
                }
            }
            """;

    private static final int CLIENTS = 32;
    private static final int ANSWERS_BEFORE_KILL = 3_000;

    @TempDir Path folder;

    /// A client that counts in its session.
    private static final class Client {
        private final HttpClient http;
        private @Nullable String cookie;
        private int last;

        Client(HttpClient http) {
            this.http = http;
        }

        /// Returns the counter that the server answers.
        int ask(URI server) throws IOException, InterruptedException {
            HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve("/count"));
            if (cookie != null) {
                request.header("Cookie", cookie);
            }
            HttpResponse<String> response =
                    http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            response.headers()
                    .firstValue("Set-Cookie")
                    .ifPresent(value -> cookie = value.substring(0, value.indexOf(';')));
            return Integer.parseInt(response.body());
        }
    }

    @Test
    void losesNoAnsweredSessionWhenKilledUnderLoad() throws Exception {
        Path war = archive();
        String[] arguments = {
            "run", "--port", "0", "--sessions", "files=" + folder.resolve("state"), war.toString()
        };
        List<Client> clients = new ArrayList<>();
        try (HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(new Client(http));
            }
            try (ServerProcess server = ServerProcess.ready(arguments)) {
                loadUntilKilled(server, clients);
            }
            try (ServerProcess server = ServerProcess.ready(arguments)) {
                for (Client client : clients) {
                    // The request that was cut off may have been stored without an answer.
                    assertThat(client.ask(server.address()))
                            .isBetween(client.last + 1, client.last + 2);
                }
            }
        }
        assertNoIdOnDisk(clients);
    }

    @Test
    void sessionsAreThereAfterAStop() throws Exception {
        Path war = archive();
        String[] arguments = {
            "run",
            "--port",
            "0",
            "--session-save",
            "stop",
            "--sessions",
            "files=" + folder.resolve("state"),
            war.toString()
        };
        try (HttpClient http = HttpClient.newHttpClient()) {
            Client client = new Client(http);
            try (ServerProcess server = ServerProcess.ready(arguments)) {
                assertThat(client.ask(server.address())).isEqualTo(1);
                assertThat(client.ask(server.address())).isEqualTo(2);
                server.signal("TERM");
                server.exitCode();
            }
            try (ServerProcess server = ServerProcess.ready(arguments)) {
                assertThat(client.ask(server.address())).isEqualTo(3);
            }
        }
    }

    @Test
    void databaseKeepsSessionsOverAStop() throws Exception {
        Path war = archive();
        String[] arguments = {
            "run",
            "--port",
            "0",
            "--sessions",
            "jdbc:h2:file:" + folder.resolve("sessions"),
            war.toString()
        };
        try (HttpClient http = HttpClient.newHttpClient()) {
            Client client = new Client(http);
            try (ServerProcess server = ServerProcess.ready(arguments)) {
                assertThat(client.ask(server.address())).isEqualTo(1);
                assertThat(client.ask(server.address())).isEqualTo(2);
                server.signal("TERM");
                server.exitCode();
            }
            try (ServerProcess server = ServerProcess.ready(arguments)) {
                assertThat(client.ask(server.address())).isEqualTo(3);
            }
        }
    }

    private static void loadUntilKilled(ServerProcess server, List<Client> clients)
            throws Exception {
        URI address = server.address();
        AtomicInteger answers = new AtomicInteger();
        AtomicBoolean killed = new AtomicBoolean();
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<?>> loads = new ArrayList<>();
            for (Client client : clients) {
                loads.add(
                        threads.submit(() -> {
                            load(client, address, answers, killed, server);
                            return null;
                        }));
            }
            for (Future<?> load : loads) {
                load.get();
            }
        }
        assertThat(answers).hasValueGreaterThanOrEqualTo(ANSWERS_BEFORE_KILL);
        assertThat(server.exitCode()).isNotZero();
    }

    private static void load(
            Client client,
            URI address,
            AtomicInteger answers,
            AtomicBoolean killed,
            ServerProcess server)
            throws InterruptedException {
        while (true) {
            try {
                int answer = client.ask(address);
                assertThat(answer).isEqualTo(client.last + 1);
                client.last = answer;
            } catch (IOException e) {
                assertThat(killed).as(e.toString()).isTrue();
                return;
            }
            if (answers.incrementAndGet() == ANSWERS_BEFORE_KILL) {
                killed.set(true);
                server.close(); // SIGKILL, while the other clients wait for answers
            }
        }
    }

    private void assertNoIdOnDisk(List<Client> clients) throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve("state"))) {
            List<String> names = all.map(Path::toString).toList();
            assertThat(names).hasSizeGreaterThan(CLIENTS);
            for (Client client : clients) {
                String id = String.valueOf(client.cookie).substring("JSESSIONID=".length());
                assertThat(names).noneMatch(name -> name.contains(id));
            }
        }
    }

    private Path archive() throws IOException {
        Path source = folder.resolve("Count.java");
        Files.writeString(source, SERVLET);
        String path =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        int result =
                ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-proc:none", "-cp", path, source.toString());
        assertThat(result).isZero();
        Path war = folder.resolve("ROOT.war");
        try (OutputStream out = Files.newOutputStream(war);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry("WEB-INF/web.xml"));
            zip.write("<web-app/>".getBytes(StandardCharsets.UTF_8));
            zip.putNextEntry(new ZipEntry("WEB-INF/classes/Count.class"));
            zip.write(Files.readAllBytes(folder.resolve("Count.class")));
        }
        return war;
    }
}
