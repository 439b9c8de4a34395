package dev.serval.bench.run;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.report.Report;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.scenario.Settings;
import dev.serval.bench.servlet.Request;
import dev.serval.bench.servlet.ServletPeer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// The shortest run of a scenario, with Tomcat as the subject. Needs Linux.
///
/// @param cells those of the scenario
/// @param files its files, by name, with their lengths
record TinyRun(List<Cell> cells, Map<String, Integer> files) {
    private static final Settings TINY = new Settings(1, 1, 1, 0.03, 1.0, 1.0, 1, 1.03);

    /// Runs some of the cells.
    ///
    /// @param peers a folder for the test
    Report run(List<Cell> some, Path peers) throws IOException {
        assumeThat(Path.of("/proc/self")).as("needs Linux").exists();
        // Tomcat's classes are on the test's class path; the peer only looks for the file's name.
        Path jars = Files.createDirectory(peers.resolve("tomcat"));
        Files.createFile(jars.resolve("tomcat-embed-core-11.jar"));
        ServletPeer peer = new ServletPeer(ServletPeer.Container.TOMCAT, peers, List.of());
        PrintStream out =
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        Cpus cpus = Cpus.unpinned(new Proc(Path.of("/proc")).allowedCpus());
        return new ScenarioRun(scenario(), TINY, List.of(peer), out).run(some, cpus);
    }

    private Scenario scenario() {
        return new Scenario(
                "tiny",
                "Tiny",
                files,
                Map.of("hello", new Request("/hello", Request.Body.NONE, 0, Request.Answer.HELLO)),
                List.of("tomcat"),
                "tomcat",
                List.of(),
                "",
                cells);
    }
}
