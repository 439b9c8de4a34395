package dev.serval;

import static dev.serval.app.AppHandler.onLoop;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.app.AppHandler;
import dev.serval.handler.Body;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.testkit.RawClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests handlers that stop their own server, such as one for a path to shut a program down.
@Timeout(60)
final class StopInHandlerTest {
    /// Longer than the test takes.
    private static final Duration LONG = Duration.ofMinutes(10);

    private static final byte[] GOODBYE = "goodbye".getBytes(StandardCharsets.US_ASCII);
    private static final ResponseHead OK =
            new ResponseHead(Status.OK, Fields.EMPTY, GOODBYE.length);

    private static String answer(Serval.Builder builder, boolean onLoop) throws Exception {
        CompletableFuture<Serval> own = new CompletableFuture<>();
        AppHandler stop =
                x -> {
                    own.join().stop(LONG);
                    x.text("goodbye");
                };
        return answer(builder.get("/stop", onLoop ? onLoop(stop) : stop), own);
    }

    private static String answer(Serval.Builder builder, CompletableFuture<Serval> own)
            throws Exception {
        Serval server = builder.listen(0).withoutFlagWarning().start();
        own.complete(server);
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            client.patience(Duration.ofSeconds(20));
            client.send("GET /stop HTTP/1.1\r\nHost: a\r\n\r\n");
            String text = client.answer().text();
            server.stop(LONG); // waits for the other thread, which may have to begin yet
            LeakCheck.nothingHeld(server);
            return text;
        }
    }

    @ParameterizedTest
    @EnumSource
    void stopsAfterTheAnswerOfItsWorker(WorkerKind kind) throws Exception {
        Assumptions.assumeTrue(
                kind != WorkerKind.LOOP || WorkerKind.loopRefusal() == null,
                "needs a JVM whose loops carry Workers");
        assertThat(answer(Serval.builder().workers(kind), false)).isEqualTo("goodbye");
    }

    /// As an interceptor of an application may do. A second call changes nothing.
    @Test
    void stopsAfterTheAnswerOfBlockingWork() throws Exception {
        CompletableFuture<Serval> own = new CompletableFuture<>();
        Handler stop =
                x ->
                        x.run(
                                ExecutorKind.BLOCKING,
                                () -> {
                                    own.join().stop(LONG);
                                    own.join().stop(LONG);
                                    return y -> y.response().send(OK, Body.Bytes.of(GOODBYE));
                                });
        assertThat(answer(Serval.builder().mount("/", stop), own)).isEqualTo("goodbye");
    }

    @Test
    void stopsAfterTheAnswerOnTheLoop() throws Exception {
        assertThat(answer(Serval.builder(), true)).isEqualTo("goodbye");
    }
}
