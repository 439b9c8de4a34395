package dev.serval.gateway.fastcgi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.file.FileHandler;
import dev.serval.file.FileOptions;
import dev.serval.gateway.neighbour.GatewayServer;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.gateway.peer.PoolStatus;
import dev.serval.rule.DeniedPaths;
import dev.serval.rule.TryFiles;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.SlowCode;
import dev.serval.testkit.TempTree;
import dev.serval.testkit.mode.EveryMode;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The real php-fpm behind a mount.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
@EveryMode
final class PhpFpmTest {
    private static final int PARALLEL = 50;

    /// After an error, which comes at once: so many connections would use up the ports.
    private static final long PAUSE_NANOS = 1_000_000;

    private TempTree tree;

    @BeforeEach
    void makeSite() {
        tree = TempTree.create();
        tree.file("site/index.php", "<?php header('X-Php: yes'); echo 'page ', $_GET['q'] ?? '';");
        tree.file(
                "site/form.php",
                "<?php setcookie('a', '1'); setcookie('b', '2');"
                        + " echo $_SERVER['REQUEST_METHOD'], ' ', $_POST['name'], ' ', $_SERVER['PATH_INFO'] ?? '';");
        tree.file(
                "site/status.php",
                "<?php http_response_code(418); error_log(\"a note\\n\\x07\"); echo 'tea';");
        tree.file(
                "site/upload.php",
                "<?php $f = $_FILES['f']; echo $f['size'], ' ',"
                        + " hash_file('sha256', $f['tmp_name']), ' ', $f['error'];");
        tree.file(
                "site/raw.php",
                "<?php $h = fopen('php://input', 'r'); $n = 0;"
                        + " while (!feof($h)) { $n += strlen(fread($h, 65536)); } echo $n;");
        tree.file(
                "site/big.php",
                "<?php for ($i = 0; $i < 2000; $i++) { echo str_repeat('x', 10000); }");
        tree.file("site/slow.php", "<?php usleep(20000); echo 'slow';");
        tree.file("site/style.css", "css");
    }

    @AfterEach
    void removeSite() {
        tree.close();
    }

    @Test
    void servesPagesFormsAndFiles() {
        try (PhpFpm php = PhpFpm.start(tree);
                GatewayServer server = server(php);
                RawClient client = RawClient.connect(server.address())) {
            RawResponse page = server.get("/php/?q=1%2B1");
            assertThat(page.status()).isEqualTo(200);
            assertThat(page.text()).isEqualTo("page 1+1");
            assertThat(page.field("X-Php")).isEqualTo("yes");
            RawResponse form =
                    client.exchange(
                            "POST /php/form.php/info HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n"
                                    + "Content-Type: application/x-www-form-urlencoded\r\n\r\nname=Ada!");
            assertThat(form.text()).isEqualTo("POST Ada! /info");
            assertThat(form.all("Set-Cookie")).containsExactly("a=1", "b=2");
            assertThat(server.get("/php/status.php").status()).isEqualTo(418);
            assertThat(server.get("/php/style.css").text()).isEqualTo("css");
            assertThat(server.get("/php/none.php").status()).isEqualTo(404);
            assertThat(server.get("/php/big.php").body()).hasSize(20_000_000);
        }
    }

    @Test
    void servesAFrontControllerBehindRules() {
        tree.file(
                "site/index.php",
                "<?php foreach (['REQUEST_URI', 'SCRIPT_NAME', 'PATH_INFO', 'QUERY_STRING'] as $v)"
                        + " echo $_SERVER[$v] ?? '', ' ';");
        tree.file("site/data/secret.php", "<?php echo 'secret';");
        tree.file("site/lib.inc", "secret");
        FileHandler files = FileHandler.of(tree.root().resolve("site"), FileOptions.DEFAULT);
        DeniedPaths denied = DeniedPaths.of(List.of("*.inc", "/data/**"));
        TryFiles tried = TryFiles.of(files, List.of("$path", "$path/", "/index.php"));
        try (PhpFpm php = PhpFpm.start(tree);
                GatewayServer server =
                        GatewayServer.behind(
                                List.of(denied, tried, denied),
                                "/blog=" + php.url() + "?root=" + tree.root().resolve("site"))) {
            assertThat(server.get("/blog/2026/a%20post?x=1").text())
                    .isEqualTo("/blog/2026/a%20post?x=1 /blog/index.php  x=1 ");
            assertThat(server.get("/blog/").text()).startsWith("/blog/ /blog/index.php");
            assertThat(server.get("/blog/style.css").text()).isEqualTo("css");
            assertThat(server.get("/blog/slow.php").text()).isEqualTo("slow");
            for (String path :
                    List.of(
                            "/blog/data/secret.php",
                            "/blog/data/secret.php/x",
                            "/blog/%64ata/secret.php",
                            "/blog/lib.inc",
                            "/blog/LIB.inc/x.php")) {
                assertThat(server.get(path).status()).as(path).isEqualTo(404);
            }
        }
    }

    @Test
    void takesUploadOf100Megabytes() throws Exception {
        byte[] part = new byte[1 << 20];
        new Random(7).nextBytes(part);
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        String before = "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\n";
        String after = "\r\n--B--\r\n";
        long length = before.length() + 100L * part.length + after.length();
        try (PhpFpm php = PhpFpm.start(tree);
                GatewayServer server = server(php);
                RawClient client =
                        RawClient.connect(server.address()).patience(Duration.ofSeconds(60))) {
            client.send(
                    "POST /php/upload.php HTTP/1.1\r\nHost: h\r\nContent-Length: "
                            + length
                            + "\r\nContent-Type: multipart/form-data; boundary=B\r\n\r\n"
                            + before);
            for (int i = 0; i < 100; i++) {
                client.send(part);
                digest.update(part);
            }
            client.send(after);
            assertThat(client.answer().text())
                    .isEqualTo(
                            100L * part.length
                                    + " "
                                    + HexFormat.of().formatHex(digest.digest())
                                    + " 0");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 50})
    void servesTwoMountsAtOnceWithoutSettings(int children) {
        String mount = "?root=" + tree.root().resolve("site");
        try (PhpFpm php = PhpFpm.start(tree, children, "");
                GatewayServer server =
                        GatewayServer.of("/a=" + php.url() + mount, "/b=" + php.url() + mount)) {
            // A process that /a keeps for itself would be missed here.
            inParallel(i -> assertThat(server.get("/a/slow.php?" + i).status()).isEqualTo(200));
            assertThat(server.neighbour("/a").pool().open())
                    .as("connections that keep a process from the other mount")
                    .isZero();
            Map<Integer, AtomicLong> answers = new ConcurrentHashMap<>();
            inParallel(i -> {
                for (int k = 0; k < 3; k++) {
                    String at = i % 2 == 0 ? "/a" : "/b";
                    int status = server.get(at + "/slow.php?" + i).status();
                    answers.computeIfAbsent(status, _ -> new AtomicLong()).incrementAndGet();
                }
            });
            assertThat(answers.keySet()).containsExactly(200);
            assertThat(answers.get(200)).hasValue(3L * PARALLEL);
        }
    }

    @Test
    void servesFiftyAtOnceByFewKeptConnections() {
        try (PhpFpm php = PhpFpm.start(tree);
                GatewayServer server = keeping(php)) {
            Map<String, AtomicLong> answers = new ConcurrentHashMap<>();
            inParallel(i -> {
                for (int k = 0; k < 5; k++) {
                    String key = server.get("/php/slow.php?" + i).status() + "";
                    answers.computeIfAbsent(key, _ -> new AtomicLong()).incrementAndGet();
                }
            });
            assertThat(answers.keySet()).containsExactly("200");
            assertThat(answers.get("200")).hasValue(5L * PARALLEL);
            assertThat(server.neighbour("/php").pool().open()).isLessThanOrEqualTo(4);
        }
    }

    @Test
    void losesNoGetWhileProcessesAreReplaced() {
        try (PhpFpm php = PhpFpm.start(tree, "pm.max_requests = 50");
                GatewayServer server = keeping(php)) {
            Map<Integer, AtomicLong> answers = new ConcurrentHashMap<>();
            inParallel(i -> {
                String get = "GET /php/index.php?" + i + " HTTP/1.1\r\nHost: h\r\n\r\n";
                try (RawClient client = RawClient.connect(server.address())) {
                    for (int k = 0; k < 40; k++) {
                        int status = client.exchange(get).status();
                        answers.computeIfAbsent(status, _ -> new AtomicLong()).incrementAndGet();
                    }
                }
            });
            assertThat(answers.keySet()).containsExactly(200);
        }
    }

    @Test
    void losesNoPostWhileProcessesAreReplacedIfConnectionsAreNotKept() {
        String post = "POST /php/raw.php HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello";
        String mount = "?root=" + tree.root().resolve("site");
        try (PhpFpm php = PhpFpm.start(tree, "pm.max_requests = 10");
                GatewayServer server = GatewayServer.of("/php=" + php.url() + mount)) {
            Map<String, AtomicLong> answers = new ConcurrentHashMap<>();
            inParallel(_ -> {
                try (RawClient client = RawClient.connect(server.address())) {
                    for (int k = 0; k < 20; k++) {
                        String text = client.exchange(post).text();
                        answers.computeIfAbsent(text, _ -> new AtomicLong()).incrementAndGet();
                    }
                }
            });
            assertThat(answers.keySet()).containsExactly("5");
            assertThat(server.neighbour("/php").pool().status().failures()).isZero();
        }
    }

    @Tag("long")
    @Test
    void losesOnlyRequestsInProgressWhenPhpIsKilled() {
        try (PhpFpm php = PhpFpm.start(tree);
                GatewayServer server = server(php)) {
            Map<Integer, AtomicLong> answers = new ConcurrentHashMap<>();
            AtomicBoolean over = new AtomicBoolean();
            Thread killer =
                    Thread.ofVirtual()
                            .start(() -> {
                                for (int i = 1; i <= 2; i++) {
                                    long served = 200L * i;
                                    Await.until(
                                            "some were served",
                                            () -> count(answers, 200) >= served);
                                    php.restart();
                                }
                                long now = count(answers, 200);
                                Await.until(
                                        "it serves again", () -> count(answers, 200) >= now + 200);
                                over.set(true);
                            });
            inParallel(i -> {
                while (!over.get() && killer.isAlive()) {
                    int status = post(server, "/php/slow.php?" + i); // never repeated
                    answers.computeIfAbsent(status, _ -> new AtomicLong()).incrementAndGet();
                    if (status != 200) {
                        SlowCode.takes(PAUSE_NANOS);
                    }
                }
            });
            assertThat(over).isTrue();
            PoolStatus status = server.neighbour("/php").pool().status();
            // Every failed request was counted, and none was lost without an answer.
            assertThat(answers.keySet()).isSubsetOf(200, 502, 503);
            assertThat(count(answers, 502) + count(answers, 503))
                    .isEqualTo(
                            status.failed().getOrDefault(PeerFault.LOST, 0L) + status.refusals());
            assertThat(server.get("/php/slow.php").text()).isEqualTo("slow");
        }
    }

    private static int post(GatewayServer server, String target) {
        try (RawClient client = RawClient.connect(server.address())) {
            String head = " HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n";
            return client.exchange("POST " + target + head + "x").status();
        }
    }

    private static long count(Map<Integer, AtomicLong> answers, int status) {
        AtomicLong count = answers.get(status);
        return count == null ? 0 : count.get();
    }

    private static void inParallel(IntConsumer work) {
        CountDownLatch done = new CountDownLatch(PARALLEL);
        for (int i = 0; i < PARALLEL; i++) {
            int number = i;
            Thread.ofVirtual()
                    .start(() -> {
                        try {
                            work.accept(number);
                        } finally {
                            done.countDown();
                        }
                    });
        }
        try {
            assertThat(done.await(120, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private GatewayServer keeping(PhpFpm php) {
        return GatewayServer.of(
                "/php=" + php.url() + "?keep=yes&root=" + tree.root().resolve("site"));
    }

    private GatewayServer server(PhpFpm php) {
        return GatewayServer.of("/php=" + php.url() + "?root=" + tree.root().resolve("site"));
    }
}
