package dev.serval.applications;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;

/// Applications of Spring MVC, Jakarta REST and Jakarta Faces, deployed and used.
@Timeout(300)
final class RealApplicationsTest {
    private static final String JSON = "application/json";

    @TempDir Path folder;

    @Test
    void springPagesWorkInABrowser() throws Exception {
        Path upload = Files.write(folder.resolve("upload.bin"), new byte[123_456]);
        try (AppServer server = AppServer.start(folder, "spring");
                Browser browser = Browser.open()) {
            browser.open(server.at("").toString());
            assertThat(browser.find(By.tagName("h1")).getCssValue("color"))
                    .isEqualTo("rgba(0, 80, 0, 1)");
            browser.await("#events li", "tick 3"); // server-sent events
            browser.find(By.name("title")).sendKeys("Grüße & <b>");
            browser.find(By.id("add")).click();
            browser.await("#notes li", "Grüße & <b>");
            assertThat(browser.texts("#visits span")).containsExactly("2");
            browser.find(By.name("title")).sendKeys("x".repeat(41));
            browser.find(By.id("add")).click();
            browser.await(".error", "size must be between 0 and 40");
            browser.find(By.name("file")).sendKeys(upload.toString());
            browser.find(By.id("send")).click();
            browser.await("body", "upload.bin: 123456 bytes");
            assertThat(server.errors()).doesNotContain("failed in init");
        }
    }

    @Test
    void springAnswersInEveryWay() throws Exception {
        try (AppServer server = AppServer.start(folder, "spring")) {
            HttpRequest.Builder post =
                    HttpRequest.newBuilder(server.at("api/notes"))
                            .header("Content-Type", JSON)
                            .POST(HttpRequest.BodyPublishers.ofString("{\"title\":\"one\"}"));
            assertThat(server.send(post).statusCode()).isEqualTo(201);
            assertThat(server.get("api/notes").body()).isEqualTo("[{\"title\":\"one\"}]");
            post.POST(HttpRequest.BodyPublishers.ofString("{\"title\":\"\"}"));
            assertThat(server.send(post).statusCode()).isEqualTo(400);
            assertThat(server.get("callable").body()).isEqualTo("called");
            assertThat(server.get("deferred").body()).isEqualTo("deferred");
            assertThat(server.get("timeout").body()).isEqualTo("timed out");
            assertThat(server.get("events").body()).contains("data:tick 1", "data:tick 3");
            HttpResponse<String> failed = server.get("fail");
            assertThat(failed.statusCode()).isEqualTo(500);
            assertThat(failed.body()).contains("the note is lost");
            assertThat(server.get("style.css").headers().firstValue("ETag")).isPresent();
            assertThat(server.errors()).doesNotContain("failed in init");
        }
    }

    @Test
    void springIsRedeployedWhileItIsUsed() throws Exception {
        try (AppServer server = AppServer.start(folder, "spring")) {
            AtomicBoolean done = new AtomicBoolean();
            AtomicInteger answered = new AtomicInteger();
            Queue<String> wrong = new ConcurrentLinkedQueue<>();
            Thread user =
                    Thread.ofPlatform()
                            .start(() -> {
                                while (!done.get() && wrong.isEmpty()) {
                                    try {
                                        HttpResponse<String> answer = server.get("callable");
                                        if (!answer.body().equals("called")) {
                                            wrong.add(answer + answer.body());
                                        }
                                        answered.incrementAndGet();
                                    } catch (Exception e) {
                                        wrong.add(e.toString());
                                    }
                                }
                            });
            String printed;
            try {
                printed = server.command("deploy", "/=" + AppServer.war("spring"));
            } finally {
                done.set(true);
                user.join();
            }
            assertThat(wrong).isEmpty();
            assertThat(answered.get()).isPositive();
            assertThat(printed)
                    .contains("spring.war  takes requests", "ended after its last request");
            assertThat(server.command("status")).contains("spring.war");
        }
    }

    @Test
    void restResourcesAnswer() throws Exception {
        try (AppServer server = AppServer.start(folder, "rest")) {
            HttpRequest.Builder put =
                    HttpRequest.newBuilder(server.at("api/items/1"))
                            .header("Content-Type", JSON)
                            .PUT(
                                    HttpRequest.BodyPublishers.ofString(
                                            "{\"name\":\"lamp\",\"cents\":5}"));
            HttpResponse<String> created = server.send(put);
            assertThat(created.statusCode()).isEqualTo(201);
            assertThat(created.headers().firstValue("Location"))
                    .contains(server.at("api/items/1").toString());
            assertThat(server.send(put).statusCode()).isEqualTo(204);
            assertThat(server.get("api/items/1").body())
                    .isEqualTo("{\"name\":\"lamp\",\"cents\":5}");
            assertThat(server.get("api/items/2").statusCode()).isEqualTo(404);
            assertThat(server.get("api/items/later").body()).isEqualTo("later");
            assertThat(server.get("api/items/events").body()).contains("tick 1", "tick 3");
            assertThat(server.get("api/items/fail").statusCode()).isEqualTo(500);
            assertThat(server.get("api/items/fail").body()).doesNotContain("the item is lost");
            HttpRequest.Builder delete = HttpRequest.newBuilder(server.at("api/items/1")).DELETE();
            assertThat(server.send(delete).statusCode()).isEqualTo(405);
        }
    }

    @Test
    void facesPageKeepsItsStateInABrowser() throws Exception {
        try (AppServer server = AppServer.start(folder, "faces");
                Browser browser = Browser.open()) {
            browser.open(server.at("").toString());
            browser.find(By.id("form:post")).click();
            browser.await("#form\\:wrong", "Who are you?");
            browser.find(By.id("form:name")).sendKeys("Ann");
            browser.find(By.id("form:ajax")).click();
            browser.await("#form\\:hello", "Hello Ann, 1");
            browser.find(By.id("form:post")).click();
            browser.await("#form\\:hello", "Hello Ann, 2");
        }
    }
}
