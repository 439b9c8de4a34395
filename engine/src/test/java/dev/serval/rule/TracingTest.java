package dev.serval.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.conn.MemoryServer;
import dev.serval.handler.Exchange;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class TracingTest {
    private static final String VALID = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";

    private final List<Fields> seen = new ArrayList<>();
    private final AtomicLong numbers = new AtomicLong();

    private void answer(Exchange x) {
        seen.add(new Fields().addAll(x.request().fields()));
        x.response().head(new ResponseHead(Status.NO_CONTENT, Fields.EMPTY, 0));
        x.response().end(Fields.EMPTY);
    }

    private Fields handled(String fields) {
        Tracing tracing = new Tracing(numbers::incrementAndGet);
        try (MemoryServer server = MemoryServer.chain(tracing, this::answer)) {
            String request = "GET /a?b HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n";
            assertThat(server.ask(server.connect(), request)).startsWith("HTTP/1.1 204");
        }
        return seen.getLast();
    }

    @Test
    void takesTheTraceOfTheClient() {
        Fields fields = handled("traceparent: " + VALID + "\r\ntracestate: a=b\r\n");
        assertThat(fields.all("traceparent")).containsExactly(VALID);
        assertThat(fields.all("tracestate")).containsExactly("a=b");
    }

    @Test
    void makesATraceIfThereIsNone() {
        assertThat(handled("").all("traceparent"))
                .containsExactly("00-00000000000000010000000000000002-0000000000000003-01");
        assertThat(handled("X-Other: 1\r\n").first("X-Other")).isEqualTo("1");
        assertThat(seen.getLast().first("Host")).isEqualTo("a");
    }

    @Test
    void replacesATraceThatIsNotValid() {
        for (String wrong : List.of("x", VALID + "\r\ntraceparent: " + VALID)) {
            Fields fields = handled("Traceparent: " + wrong + "\r\nTraceState: a=b\r\n");
            assertThat(fields.all("traceparent")).hasSize(1).doesNotContain(VALID, "x");
            assertThat(fields.all("tracestate")).isEmpty();
        }
    }

    @Test
    void isNeverZero() {
        numbers.set(-2); // so that the second number is 0
        assertThat(handled("").first("traceparent"))
                .isEqualTo("00-ffffffffffffffff0000000000000001-0000000000000001-01");
    }
}
