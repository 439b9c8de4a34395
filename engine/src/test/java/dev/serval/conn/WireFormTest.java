package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Body;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.testkit.Call;
import dev.serval.testkit.Caller;
import org.junit.jupiter.api.Test;

/// Checks that two protocols may answer with the same head, although both keep their bytes in it.
final class WireFormTest {
    private static final byte[] CONTENT = Answers.bytes("same");
    private final ResponseHead head =
            new ResponseHead(Status.OK, new Fields().add("X-Who", "both"), CONTENT.length);

    private Handler handler() {
        return x -> {
            x.response().head(head);
            x.response().write(Body.Bytes.of(CONTENT));
            x.response().end(Fields.EMPTY);
        };
    }

    @Test
    void eachProtocolAnswersWithItsOwnBytes() {
        try (ContractServer http = start(ContractMode.HTTP1_MEMORY);
                ContractServer toy = start(ContractMode.TOY_MEMORY)) {
            Caller first = http.connect();
            Caller second = toy.connect();
            for (int i = 0; i < 3; i++) {
                assertAnswered(first);
                assertAnswered(second);
            }
        }
    }

    private ContractServer start(ContractMode mode) {
        return ContractServer.start(mode, _ -> handler());
    }

    private static void assertAnswered(Caller caller) {
        Call call = caller.awaitEnd(caller.get("/"));
        assertThat(call.isWhole()).isTrue();
        assertThat(call.status()).isEqualTo(200);
        assertThat(call.field("X-Who")).isEqualTo("both");
        assertThat(call.text()).isEqualTo("same");
    }
}
