package dev.serval.bench.lrwp;

import dev.serval.bench.bare.EchoPeer;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.JavaCommand;
import dev.serval.bench.peer.ServalPeer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The programs that the scenario starts, by the JDK that runs the suite.
///
/// @param server how the JVM finds the server: `-jar` and the jar, or a class path and a class
/// @param osp the same of the OSP server of the examples
/// @param client the source of the OSP client that uses the toolkit
/// @param xitami the program of Xitami, or null
public record LrwpPrograms(
        List<String> server,
        List<String> osp,
        List<String> jvmOptions,
        String version,
        Path client,
        @Nullable Path xitami) {
    private static final Path CLIENT = Path.of("examples", "osp", "client", "osp_client.c");

    /// Returns the programs in these jars.
    ///
    /// @param xitami the program of Xitami, or null
    /// @throws BenchFailure if one is missing
    public static LrwpPrograms ofJars(
            Path server, Path osp, List<String> jvmOptions, @Nullable Path xitami) {
        for (Path jar : List.of(server, osp)) {
            BenchFailure.require(
                    Files.isRegularFile(jar), jar + " is missing: ./serval bench builds it");
        }
        if (xitami != null && !Files.isExecutable(xitami)) {
            throw new BenchFailure(xitami + " is no program: name the file xitami of a build");
        }
        return new LrwpPrograms(
                List.of("-jar", server.toString()),
                List.of("-jar", osp.toString()),
                jvmOptions,
                new ServalPeer(server, List.of()).version(),
                CLIENT,
                xitami);
    }

    /// Returns the command of the server.
    List<String> server(LrwpCell cell, Path root, int port, int lrwpPort) {
        List<String> jvm = new ArrayList<>(cell.jvm());
        jvm.addAll(jvmOptions);
        return JavaCommand.of(jvm, server, "run", root, "--port", port, "--lrwp", lrwpPort);
    }

    /// Returns the command of the OSP server.
    List<String> osp(LrwpCell cell, int lrwpPort, Path routes, Path state, int connections) {
        return JavaCommand.of(
                cell.jvm(),
                osp,
                "--agent",
                "127.0.0.1:" + lrwpPort,
                "--routes",
                routes,
                "--state",
                state,
                "--connections",
                connections,
                "--tokens",
                cell.tokens());
    }

    /// Returns the command of the echo.
    ///
    /// @param more arguments of [EchoPeer]
    static List<String> echo(int lrwpPort, int connections, String... more) {
        List<String> command =
                JavaCommand.of(
                        List.of("-XX:+UseSerialGC", "-Xmx64m"),
                        JavaCommand.suite(EchoPeer.class),
                        lrwpPort,
                        connections);
        command.addAll(List.of(more));
        return command;
    }
}
