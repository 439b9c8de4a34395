package dev.serval.applications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The same WAR of the shop on other containers, as the benchmark suite starts them.
@Timeout(300)
final class ShopContainersTest {
    private static final Duration START_PATIENCE = Duration.ofMinutes(2);

    /// Pages of every kind, with pictures and style.
    private static final List<String> PAGES =
            List.of(
                    "home",
                    "new",
                    "best",
                    "search",
                    "results?by=author&q=a",
                    "book?id=3",
                    "cart",
                    "cover/3-0.svg",
                    "shop.css",
                    "inquiry",
                    "admin?id=3");

    /// A container, and what starts it.
    enum Container {
        TOMCAT("TomcatServer", true, false),
        JETTY("JettyServer", true, true),
        UNDERTOW("UndertowServer", false, true),
        GRIZZLY("GrizzlyServer", false, true);

        private final String program;
        private final boolean readsWars;
        private final boolean needsJasper;

        Container(String program, boolean readsWars, boolean needsJasper) {
            this.program = program;
            this.readsWars = readsWars;
            this.needsJasper = needsJasper;
        }

        /// Returns whether it has what `web.xml` says of the root and of pages for statuses. Grizzly
        /// has no such things.
        boolean isWhole() {
            return this != GRIZZLY;
        }

        private String classPath(Path bench) {
            Path peers = bench.resolve("peers");
            String own = bench.resolve("serval-bench.jar") + ":" + peers.resolve(folder()) + "/*";
            return needsJasper ? own + ":" + peers.resolve("jasper") + "/*" : own;
        }

        private String folder() {
            return program.replace("Server", "").toLowerCase(Locale.ROOT);
        }
    }

    @TempDir Path folder;

    @Test
    void personBuysABookOnTomcat() throws Exception {
        personBuysABook(Container.TOMCAT);
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TOMCAT")
    void personBuysABook(Container container) throws Exception {
        Shop shop = new Shop(folder);
        int port = FreePort.find();
        URI root = URI.create("http://127.0.0.1:" + port + "/");
        Process process = start(container, shop, port);
        try (Shopper ann = new Shopper(root)) {
            Await.until(container + " answers", START_PATIENCE, () -> answers(process, ann));
            visits(container, ann);
            ann.becomesACustomerAndBuys("ann", 3);
        } finally {
            process.destroy();
            Process _ = process.onExit().join();
        }
        assertThat(shop.check()).contains("agree");
        assertThat(shop.number("SELECT COUNT(*) FROM customer WHERE user_name = 'ann'")).isOne();
    }

    private static void visits(Container container, Shopper ann) throws Exception {
        for (String page : PAGES) {
            assertThat(ann.get(page).statusCode()).as(page).isEqualTo(200);
        }
        HttpResponse<String> missing = ann.get("book?id=999");
        assertThat(missing.statusCode()).isEqualTo(404);
        if (container.isWhole()) {
            assertThat(ann.get("").statusCode()).isEqualTo(200);
            assertThat(missing.body()).contains("Savanna Books", "Not found");
            assertThat(missing.headers().firstValue("Content-Security-Policy").orElse(""))
                    .contains("default-src 'none'");
        }
    }

    private boolean answers(Process process, Shopper shopper) {
        if (!process.isAlive()) {
            throw new AssertionError("The container has ended: " + errors());
        }
        try {
            return shopper.get("home").statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private String errors() {
        try {
            return Files.readString(folder.resolve("errors"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private Process start(Container container, Shop shop, int port) throws IOException {
        Path bench = Path.of(System.getProperty("serval.bench", "bench/target"));
        Path application = container.readsWars ? Shop.war() : Shop.exploded();
        ProcessBuilder builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx256m",
                        "-cp",
                        container.classPath(bench),
                        "dev.serval.bench.container." + container.program,
                        application.toString(),
                        Integer.toString(port),
                        folder.resolve("work").toString(),
                        "plain",
                        "-");
        builder.environment().putAll(shop.environment());
        return builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("errors").toFile())
                .start();
    }
}
