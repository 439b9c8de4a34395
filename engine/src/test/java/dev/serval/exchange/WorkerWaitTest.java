package dev.serval.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.conn.MemoryServer;
import dev.serval.handler.Body;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
final class WorkerWaitTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Accept: a | false",
                "Cookie: a=b | true",
                "Referer: http://shop.example/book?id=1 | true",
                "Referer: https://SHOP.example/ | true",
                "Referer: http://shop.example | true",
                "Referer: http://shop.example.org/ | false",
                "Referer: http://other.example/?http://shop.example/ | false",
                "Referer: http://shop.example:81/ | false",
                "Referer: shop.example/ | false",
                "Referer: :// | false",
                "Referer:  | false"
            })
    void returnsIfTheRequestHasACookieOrComesFromAPageOfTheHost(String field, boolean expected) {
        AtomicBoolean found = new AtomicBoolean();
        try (MemoryServer server = telling(found)) {
            String get = "GET / HTTP/1.1\r\nHost: shop.example\r\n" + field.strip() + "\r\n\r\n";
            assertThat(server.ask(server.connect(), get)).startsWith("HTTP/1.1 204 ");
            assertThat(found.get()).isEqualTo(expected);
            String absolute = "GET http://shop.example/ HTTP/1.1\r\nHost: shop.example\r\n";
            server.ask(server.connect(), absolute + field.strip() + "\r\n\r\n");
            assertThat(found.get()).isEqualTo(expected);
        }
    }

    @Test
    void hostIsTheOneThatATrustedProxyTells() {
        AtomicBoolean found = new AtomicBoolean();
        try (MemoryServer server = telling(found)) {
            server.trust("0.0.0.0/0");
            server.ask(
                    server.connect(),
                    "GET / HTTP/1.1\r\nHost: inner\r\nX-Forwarded-Host: shop.example\r\n"
                            + "Referer: https://shop.example/book\r\n\r\n");
            assertThat(found).isTrue();
        }
    }

    private static MemoryServer telling(AtomicBoolean found) {
        return MemoryServer.of(x -> {
            found.set(WorkerWait.seemsToReturn(x.request(), x.connection()));
            x.response()
                    .send(
                            new ResponseHead(Status.NO_CONTENT, Fields.EMPTY, 0),
                            Body.Bytes.of(new byte[0]));
        });
    }
}
