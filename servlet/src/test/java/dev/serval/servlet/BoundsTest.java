package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.Call;
import dev.serval.testkit.Caller;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.SocketWire;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What many or long requests leave to others.
@EveryMode
@Timeout(240)
final class BoundsTest {
    private static final int SLEEPERS = 400;

    @TempDir private Path folder;

    @Test
    void servletsThatWaitLeaveTheOthersAnswered() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger waiting = new AtomicInteger();
        Files.createDirectories(folder.resolve("WEB-INF"));
        Files.writeString(folder.resolve("file.txt"), "file");
        WebApp.Builder app =
                WebApp.of("", folder)
                        .servlet(
                                "/wait",
                                new CodeServlet((_, response) -> {
                                    waiting.incrementAndGet();
                                    await(go);
                                    response.getWriter().print("waited");
                                }))
                        .servlet(
                                "/quick",
                                new CodeServlet(
                                        (_, response) -> response.getWriter().print("quick")));
        List<RawClient> clients = new ArrayList<>();
        Limits limits = Limits.DEFAULT.with(ServletServer::withoutRefusals);
        try (ServletServer server = ServletServer.start(app, limits)) {
            for (int i = 0; i < SLEEPERS; i++) {
                RawClient client = server.client();
                clients.add(client);
                client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
            }
            Await.until("all wait", () -> waiting.get() == SLEEPERS);
            for (int i = 0; i < 20; i++) {
                assertThat(server.get("/file.txt").text()).isEqualTo("file");
                assertThat(server.get("/quick").text()).isEqualTo("quick");
            }
            go.countDown();
            for (RawClient client : clients) {
                assertThat(client.answer().text()).isEqualTo("waited");
                client.close();
            }
        }
    }

    /// Has no limit, because all clients connect meanwhile.
    private static void await(CountDownLatch go) throws ServletException {
        try {
            go.await();
        } catch (InterruptedException e) {
            throw new ServletException(e);
        }
    }

    @Tag("long")
    @Test
    void echoOfAGigabyteIsWhole() throws Exception {
        long length = 1L << 30;
        Limits limits = Limits.DEFAULT.with(draft -> draft.content.maxBytes = length);
        CodeServlet echo =
                new CodeServlet((request, response) -> {
                    InputStream in = request.getInputStream();
                    ServletOutputStream out = response.getOutputStream();
                    byte[] some = new byte[16 << 10];
                    for (int n = in.read(some); n > 0; n = in.read(some)) {
                        out.write(some, 0, n);
                    }
                });
        try (ServletServer server =
                ServletServer.start(WebApp.at("").servlet("/s", echo), limits)) {
            try (Caller caller = Caller.http1(SocketWire.connect(server.address()))) {
                Call call = caller.call(Call.Ask.post("/s", length)).expectPattern();
                caller.awaitEnd(call.sendPattern(length).finish());
                assertThat(call.isWhole()).isTrue();
                assertThat(call.length()).isEqualTo(length);
            }
        }
    }
}
