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
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The same WAR of the shop on another container, as the benchmark suite starts it.
@Timeout(300)
final class ShopOnTomcatTest {
    private static final Duration START_PATIENCE = Duration.ofMinutes(2);

    @TempDir Path folder;

    @Test
    void personBuysABook() throws Exception {
        Shop shop = new Shop(folder);
        int port = FreePort.find();
        URI root = URI.create("http://127.0.0.1:" + port + "/");
        Process process = tomcat(shop, port);
        try (Shopper ann = new Shopper(root)) {
            Await.until("Tomcat answers", START_PATIENCE, () -> answers(process, ann));
            for (String page :
                    List.of(
                            "",
                            "home",
                            "new",
                            "best",
                            "search",
                            "results?by=author&q=a",
                            "cover/3-0.svg",
                            "shop.css",
                            "inquiry",
                            "admin?id=3")) {
                assertThat(ann.get(page).statusCode()).as(page).isEqualTo(200);
            }
            assertThat(ann.get("book?id=999").body()).contains("Not found");
            assertThat(ann.post("cart", Map.of("add", "3")).statusCode()).isEqualTo(403);
            HttpResponse<String> cart = ann.add(3);
            assertThat(cart.body()).contains("copies-3");
            HttpResponse<String> order = ann.post("buy", Shopper.paying(ann.signIn(1)));
            assertThat(order.body()).contains("Thank you!", "number ending in 9010");
        } finally {
            process.destroy();
            Process _ = process.onExit().join();
        }
        assertThat(shop.check()).contains("agree");
    }

    private boolean answers(Process process, Shopper shopper) {
        if (!process.isAlive()) {
            throw new AssertionError("Tomcat has ended: " + errors());
        }
        try {
            return shopper.get("").statusCode() == 200;
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

    private Process tomcat(Shop shop, int port) throws IOException {
        Path bench = Path.of(System.getProperty("serval.bench", "bench/target"));
        ProcessBuilder builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx256m",
                        "-cp",
                        bench.resolve("serval-bench.jar")
                                + ":"
                                + bench.resolve("peers/tomcat")
                                + "/*",
                        "dev.serval.bench.servlet.TomcatServer",
                        Shop.war().toString(),
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
