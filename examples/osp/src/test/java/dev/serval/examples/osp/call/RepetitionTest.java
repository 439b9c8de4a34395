package dev.serval.examples.osp.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.examples.osp.message.AnswerWriter;
import dev.serval.examples.osp.message.Element;
import dev.serval.examples.osp.message.MessageLimits;
import dev.serval.examples.osp.message.MessageReader;
import dev.serval.examples.osp.message.OspTime;
import dev.serval.examples.osp.record.CallRecord;
import dev.serval.examples.osp.record.DatabaseStore;
import dev.serval.examples.osp.record.Field;
import dev.serval.examples.osp.record.LostCommitDriver;
import dev.serval.examples.osp.record.RecordStore;
import dev.serval.examples.osp.record.RecordWriter;
import dev.serval.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Messages that a client sends again, and messages that only look so.
@Timeout(60)
final class RepetitionTest {
    private static final MessageReader READER = new MessageReader(MessageLimits.STANDARD);
    private static final long NOW = Instant.parse("2026-11-22T12:00:00Z").getEpochSecond();

    private final AtomicLong second = new AtomicLong(NOW);
    private final CountDownLatch released = new CountDownLatch(1);
    private final List<CallRecord> stored = new CopyOnWriteArrayList<>();
    private final RecordWriter records = new RecordWriter(store(), 100, 10);

    @AfterEach
    void close() {
        released.countDown();
        records.close();
    }

    private RecordStore store() {
        return new RecordStore() {
            @Override
            public void append(List<CallRecord> batch) {
                Await.open("the store is released", released);
                stored.addAll(batch);
            }

            @Override
            public void tick() {}

            @Override
            public String place() {
                return "a test";
            }

            @Override
            public void close() {}
        };
    }

    private CallService service(RecordWriter writer, int storeMaxMillis) throws Exception {
        Random random = new Random(1);
        return new CallService(
                new CallSettings(300, 30, 0, 8, storeMaxMillis),
                new OspTime(() -> Instant.ofEpochSecond(second.get())),
                RouteReader.parse("routes", "route * [1.1.1.1]\n"),
                new CallService.Memory(
                        new Duplicates(1_000, 1_000_000),
                        new Transactions(1_000, NOW, random),
                        random),
                new TextTokens(random),
                writer);
    }

    private static Element answer(CallService service, String component) {
        String text = "<Message messageId=\"m1\" random=\"1\">" + component + "</Message>";
        List<String> answers =
                service.answer(READER.read(text.getBytes(StandardCharsets.UTF_8)), "127.0.0.1");
        Element message =
                Objects.requireNonNull(READER.tree(AnswerWriter.message("m1", 1, answers)));
        String kind =
                component.startsWith("<Usage") ? "UsageConfirmation" : "AuthorizationResponse";
        return Objects.requireNonNull(message.child(kind));
    }

    private static int status(CallService service, String component) {
        Element status = Objects.requireNonNull(answer(service, component).child("Status"));
        return Integer.parseInt(status.text("Code"));
    }

    private static String usage(String role) {
        return "<UsageIndication componentId=\"c1\"><Role>"
                + role
                + "</Role><TransactionId>7</TransactionId><CallId>1</CallId>"
                + "<UsageDetail><Amount>30</Amount></UsageDetail></UsageIndication>";
    }

    private static String request(String called) {
        return "<AuthorizationRequest componentId=\"c1\"><CallId>1</CallId><DestinationInfo>"
                + called
                + "</DestinationInfo></AuthorizationRequest>";
    }

    @Test
    void recordThatTakesTooLongIsStoredOnceAlthoughItIsSentAgain() throws Exception {
        CallService service = service(records, 50);
        assertThat(status(service, usage("source"))).isEqualTo(503);
        assertThat(status(service, usage("source"))).isEqualTo(503);
        released.countDown();
        Await.until("the record is confirmed", () -> status(service, usage("source")) == 200);
        records.close();
        assertThat(stored).hasSize(1);
    }

    @Test
    void recordOfAnInterruptedRequestIsStoredOnceAlthoughItIsSentAgain() throws Exception {
        CallService service = service(records, 20_000);
        Thread.currentThread().interrupt();
        assertThat(status(service, usage("source"))).isEqualTo(503);
        assertThat(Thread.interrupted()).isTrue();
        released.countDown();
        assertThat(status(service, usage("source"))).isEqualTo(200);
        records.close();
        assertThat(stored).hasSize(1);
    }

    @Test
    void otherCallWithTheSameIdsIsNoRepetition() throws Exception {
        CallService service = service(records, 20_000);
        String first = answer(service, request("1678")).text("TransactionId");
        assertThat(answer(service, request("1678")).text("TransactionId")).isEqualTo(first);
        assertThat(answer(service, request("1679")).text("TransactionId"))
                .isNotEmpty()
                .isNotEqualTo(first);
    }

    @Test
    void usageOfTheOtherSideIsNoRepetition() throws Exception {
        released.countDown();
        CallService service = service(records, 20_000);
        for (String role : List.of("source", "destination", "source", "destination")) {
            assertThat(status(service, usage(role))).isEqualTo(200);
        }
        assertThat(stored)
                .extracting(each -> each.value(Field.ROLE))
                .containsExactly("source", "destination");
    }

    @Test
    void authorizationIsForgottenWithItsTokens() throws Exception {
        CallService service = service(records, 20_000);
        String first = answer(service, request("1678")).text("TransactionId");
        second.set(NOW + 300);
        assertThat(answer(service, request("1678")).text("TransactionId")).isEqualTo(first);
        second.set(NOW + 301);
        String second = answer(service, request("1678")).text("TransactionId");
        assertThat(second).isNotEqualTo(first);
        assertThat(answer(service, request("1678")).text("TransactionId")).isEqualTo(second);
    }

    @Test
    void usageIsRememberedLongerThanTokens() throws Exception {
        released.countDown();
        CallService service = service(records, 20_000);
        assertThat(status(service, usage("source"))).isEqualTo(200);
        second.set(NOW + 100_000);
        assertThat(status(service, usage("source"))).isEqualTo(200);
        assertThat(stored).hasSize(1);
    }

    @Test
    void recordWhoseCommitWasLostIsStoredOnceAlthoughItIsSentAgain() throws Exception {
        String url = "jdbc:h2:mem:lost;DB_CLOSE_DELAY=-1";
        try (LostCommitDriver driver = new LostCommitDriver();
                RecordWriter writer = new RecordWriter(new DatabaseStore(driver.url(url)), 10, 3);
                Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            CallService service = service(writer, 20_000);
            driver.loseNextCommit();
            assertThat(status(service, usage("source"))).isEqualTo(503);
            assertThat(status(service, usage("source"))).isEqualTo(200);
            try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM osp_usage")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isOne();
            }
            statement.execute("SHUTDOWN");
        }
    }
}
