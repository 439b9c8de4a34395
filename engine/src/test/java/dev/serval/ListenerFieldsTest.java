package dev.serval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.http.FieldChanges;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Fields of every response of one listener.
final class ListenerFieldsTest {
    private static final ListenerSpec ANY =
            new ListenerSpec(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

    @Test
    void onlyResponsesOfTheListenerHaveItsFields() throws IOException {
        FieldChanges fields =
                new FieldChanges(List.of(FieldChanges.Change.addIfAbsent("X-Own", "1").toAll()));
        try (Serval server =
                Serval.builder()
                        .withoutFlagWarning()
                        .listen(ANY)
                        .listen(ANY.withFields(fields).withBacklog(7))
                        .get("/", x -> x.text("hello"))
                        .start()) {
            assertThat(answer(server, 0, "/").field("X-Own")).isNull();
            assertThat(answer(server, 1, "/").field("X-Own")).isEqualTo("1");
            assertThat(answer(server, 1, "/none").status()).isEqualTo(404);
            assertThat(answer(server, 1, "/none").field("X-Own")).isEqualTo("1");
        }
    }

    private static RawResponse answer(Serval server, int listener, String path) {
        return RawClient.get(server.addresses().get(listener), path);
    }
}
