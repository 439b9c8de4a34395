package dev.serval.bench.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.bench.client.HttpConnection;
import dev.serval.bench.load.Browser;
import dev.serval.bench.load.Client;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Starts every container, with the jars of the test's class path, and checks every answer.
@Timeout(120)
class ServletPeerTest {
    private static final int FAIL_SAFE_MILLIS = 30_000;

    @ParameterizedTest
    @EnumSource
    void answersEveryRequestOfTheScenario(ServletPeer.Container container, @TempDir Path noJars)
            throws IOException {
        assumeThat(Path.of("/proc/self")).as("needs Linux").exists();
        Scenario scenario = Scenario.named("servlet");
        try (Stage stage = Stage.create(scenario.files(), Cpus.unpinned(Set.of(0)))) {
            WarFolder.explode(stage.site().root(), Path.of("target/peers/jstl"));
            try (RunningPeer peer = new ServletPeer(container, noJars, List.of()).start(stage)) {
                for (Map.Entry<String, Request> request : scenario.requests().entrySet()) {
                    boolean page = request.getValue().answer() == Request.Answer.ROWS;
                    if (page && container != ServletPeer.Container.TOMCAT) {
                        continue; // only Tomcat is compared by pages
                    }
                    assertThat(fault(peer, request.getValue())).as(request.getKey()).isEmpty();
                }
                byte[] file = Files.readAllBytes(stage.site().root().resolve("4k.bin"));
                HttpConnection.Answer answer =
                        HttpConnection.get(peer.port(), "/4k.bin", FAIL_SAFE_MILLIS);
                assertThat(answer.content()).isEqualTo(file);
            }
        }
    }

    @Test
    void faultNamesTheDifference(@TempDir Path noJars) throws IOException {
        assumeThat(Path.of("/proc/self")).as("needs Linux").exists();
        try (Stage stage = Stage.create(Map.of(), Cpus.unpinned(Set.of(0)))) {
            WarFolder.explode(stage.site().root(), Path.of("target/peers/jstl"));
            ServletPeer tomcat = new ServletPeer(ServletPeer.Container.TOMCAT, noJars, List.of());
            try (RunningPeer peer = tomcat.start(stage)) {
                assertFault(peer, "/absent", Request.Answer.HELLO, "answers 404");
                assertFault(peer, "/hello", Request.Answer.PIECES, "sends 13 bytes, not 35840");
                assertFault(peer, "/session", Request.Answer.HELLO, "sends 10 bytes, not 13");
            }
        }
    }

    private static void assertFault(
            RunningPeer peer, String path, Request.Answer answer, String fault) throws IOException {
        Request request = new Request(path, Request.Body.NONE, 0, answer);
        assertThat(fault(peer, request)).contains(fault);
    }

    private static Optional<String> fault(RunningPeer peer, Request request) throws IOException {
        return Browser.fault(new Client.Target(peer.port(), request.page(), request));
    }

    @Test
    void scenarioNamesEveryContainer() throws IOException {
        assertThat(Scenario.named("servlet").references())
                .extracting(ServletPeer.Container::named)
                .containsExactly(ServletPeer.Container.values());
    }

    @Test
    void peerWithoutJarsIsMissing(@TempDir Path peers) throws IOException {
        ServletPeer jetty = new ServletPeer(ServletPeer.Container.JETTY, peers, List.of());
        assertThat(jetty.missing()).get().asString().contains("jetty-server-");
        Path jars = Files.createDirectory(peers.resolve("jetty"));
        Files.createFile(jars.resolve("jetty-server-12.1.9.jar"));
        assertThat(jetty.missing()).isEmpty();
        assertThat(jetty.version()).isEqualTo("12.1.9");
    }
}
