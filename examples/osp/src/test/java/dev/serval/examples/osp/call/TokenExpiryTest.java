package dev.serval.examples.osp.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.examples.osp.message.AnswerWriter;
import dev.serval.examples.osp.message.Element;
import dev.serval.examples.osp.message.MessageLimits;
import dev.serval.examples.osp.message.MessageReader;
import dev.serval.examples.osp.message.OspTime;
import dev.serval.examples.osp.record.FileStore;
import dev.serval.examples.osp.record.RecordWriter;
import dev.serval.examples.osp.record.SyncPolicy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A token of a reauthorization counts until its last second, and the tolerance after it.
@Timeout(60)
final class TokenExpiryTest {
    private static final MessageReader READER = new MessageReader(MessageLimits.STANDARD);
    private static final long NOW = Instant.parse("2026-11-22T12:00:00Z").getEpochSecond();

    @TempDir Path folder;
    private final AtomicLong second = new AtomicLong(NOW);
    private int messages;

    @Test
    void expiredTokenExtendsNoCall() throws Exception {
        Random random = new Random(1);
        try (RecordWriter records =
                new RecordWriter(
                        new FileStore(folder.resolve("records.tsv"), SyncPolicy.ALWAYS), 100, 10)) {
            CallService service =
                    new CallService(
                            CallSettings.STANDARD,
                            new OspTime(() -> Instant.ofEpochSecond(second.get())),
                            RouteReader.parse("routes", "route 1678 [1.1.1.1]\n"),
                            new CallService.Memory(
                                    new Duplicates(1_000, 1_000_000),
                                    new Transactions(1_000, NOW, random),
                                    random),
                            new TextTokens(random),
                            records);
            Element granted = answer(service, "Authorization", "");
            String id = "<TransactionId>" + granted.text("TransactionId") + "</TransactionId>";
            String token = Objects.requireNonNull(granted.child("Destination")).text("Token");
            String shown = id + "<Token encoding=\"base64\">" + token + "</Token>";
            CallSettings settings = CallSettings.STANDARD;
            second.addAndGet(settings.validSeconds() + settings.toleranceSeconds());
            assertThat(status(answer(service, "Reauthorization", shown))).isEqualTo("200");
            second.incrementAndGet();
            assertThat(status(answer(service, "Reauthorization", shown))).isEqualTo("530");
            assertThat(status(answer(service, "Reauthorization", id)))
                    .as("the transaction without a token")
                    .isEqualTo("200");
        }
    }

    private Element answer(CallService service, String kind, String more) {
        String id = "m" + ++messages;
        String text =
                "<Message messageId=\""
                        + id
                        + "\" random=\"1\"><KINDRequest componentId=\"c1\">".replace("KIND", kind)
                        + "<Timestamp>2026-11-22T12:00:00Z</Timestamp>"
                        + "<CallId encoding=\"base64\">MQ==</CallId>"
                        + "<SourceInfo type=\"e164\">1404</SourceInfo>"
                        + "<DestinationInfo type=\"e164\">1678</DestinationInfo>"
                        + more
                        + "</KINDRequest></Message>".replace("KIND", kind);
        byte[] xml =
                AnswerWriter.message(
                        id,
                        1,
                        service.answer(
                                READER.read(text.getBytes(StandardCharsets.UTF_8)), "127.0.0.1"));
        return Objects.requireNonNull(
                Objects.requireNonNull(READER.tree(xml)).child(kind + "Response"));
    }

    private static String status(Element response) {
        return Objects.requireNonNull(response.child("Status")).text("Code");
    }
}
