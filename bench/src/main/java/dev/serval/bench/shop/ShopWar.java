package dev.serval.bench.shop;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.JavaCommand;
import dev.serval.bench.peer.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// The example shop as an exploded WAR, which all servers serve, and its tool for databases.
///
/// @param folder of the application
record ShopWar(Path folder) {
    /// The WAR that the build makes, from the root of the repository.
    static final Path BUILT = Path.of("examples", "shop", "target", "shop.war");

    private static final String TOOL = "dev.serval.examples.shop.ShopTool";

    /// Unpacks a WAR.
    ///
    /// @throws BenchFailure if it was not built
    static ShopWar unpack(Path war, Path folder) throws IOException {
        BenchFailure.require(
                Files.isRegularFile(war), war + " is missing: build it with mvn package");
        Files.createDirectories(folder);
        try (ZipFile zip = new ZipFile(war.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                Path file = folder.resolve(entry.getName()).normalize();
                if (!file.startsWith(folder)) {
                    throw new BenchFailure(war + " has a file outside of it: " + entry.getName());
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                } else {
                    Files.createDirectories(file.resolveSibling(""));
                    try (InputStream in = zip.getInputStream(entry)) {
                        Files.copy(in, file);
                    }
                }
            }
        }
        return new ShopWar(folder);
    }

    /// Makes a database. The same numbers make the same rows.
    ///
    /// @param rounds of the hashes of passwords
    void create(String url, int books, int customers, int rounds) {
        tool("create", url, books, customers, rounds);
    }

    /// Checks that purchases, stock and payments agree.
    ///
    /// @throws BenchFailure says what does not agree
    void check(String url) {
        tool("check", url);
    }

    private void tool(Object... arguments) {
        Path inside = folder.resolve("WEB-INF");
        String classPath = inside.resolve("classes") + ":" + inside.resolve("lib") + "/*";
        List<String> program = new ArrayList<>(List.of("-cp", classPath, TOOL));
        Programs.output(JavaCommand.of(List.of("-Xmx512m"), program, arguments));
    }
}
