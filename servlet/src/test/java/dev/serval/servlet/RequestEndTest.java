package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a request releases when its client has gone.
@Timeout(120)
final class RequestEndTest {
    private final CountDownLatch inside = new CountDownLatch(1);

    /// An application that stops may close its sessions as soon as no request is in it.
    @Test
    void requestWhoseClientHasGoneReleasesItsSessionBeforeItLeaves(@TempDir Path folder)
            throws Exception {
        WebApp.Builder app =
                WebApp.at("")
                        .sessions(SessionOptions.files(folder))
                        .servlet(
                                "/s",
                                new CodeServlet((request, _) -> {
                                    request.getSession().setAttribute("w", new Watched());
                                    request.startAsync().setTimeout(0);
                                    inside.countDown();
                                }));
        List<Integer> inProgress = new CopyOnWriteArrayList<>();
        try (ServletServer server = ServletServer.start(app)) {
            Watched.requests = server.app()::requestsInProgress;
            Watched.whenWritten = inProgress;
            RawClient client = server.client();
            client.send("GET /s HTTP/1.1\r\nHost: test\r\n\r\n");
            Await.open("the request runs", inside);
            client.reset();
            Await.until("the session is stored", () -> !inProgress.isEmpty());
            assertThat(inProgress.getFirst()).isEqualTo(1);
        } finally {
            Watched.requests = () -> -1;
            Watched.whenWritten = new CopyOnWriteArrayList<>();
        }
    }

    /// A value that records how many requests run when its session is stored.
    private static final class Watched implements Serializable {
        private static final long serialVersionUID = 1;
        private static volatile IntSupplier requests = () -> -1;
        private static volatile List<Integer> whenWritten = new CopyOnWriteArrayList<>();

        private void writeObject(ObjectOutputStream out) throws IOException {
            whenWritten.add(requests.getAsInt());
            out.defaultWriteObject();
        }
    }
}
