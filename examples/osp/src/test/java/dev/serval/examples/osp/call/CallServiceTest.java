package dev.serval.examples.osp.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.examples.osp.message.AnswerWriter;
import dev.serval.examples.osp.message.Element;
import dev.serval.examples.osp.message.MessageLimits;
import dev.serval.examples.osp.message.MessageReader;
import dev.serval.examples.osp.message.OspStatus;
import dev.serval.examples.osp.message.OspTime;
import dev.serval.examples.osp.record.FileStore;
import dev.serval.examples.osp.record.RecordWriter;
import dev.serval.examples.osp.record.SyncPolicy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
final class CallServiceTest {
    private static final MessageReader READER = new MessageReader(MessageLimits.STANDARD);
    private static final long NOW = Instant.parse("2026-11-22T12:00:00Z").getEpochSecond();
    private static final String ROUTES =
            """
            route 1678 [1.1.1.1] rate=0.01
            route 1678 [2.2.2.2] rate=0.02 seconds=600 protocol=sip
            refuse 1900 403
            refuse 1484 484
            source 666 405
            limit 777 2
            """;

    @TempDir Path folder;
    private final AtomicLong second = new AtomicLong(NOW);
    private RecordWriter records;
    private CallService service;

    @BeforeEach
    void open() throws Exception {
        records =
                new RecordWriter(
                        new FileStore(folder.resolve("records.tsv"), SyncPolicy.ALWAYS), 100, 10);
        service = service(ROUTES, CallSettings.STANDARD);
    }

    @AfterEach
    void close() {
        records.close();
    }

    private CallService service(String routes, CallSettings settings) throws Exception {
        OspTime time = new OspTime(() -> Instant.ofEpochSecond(second.get()));
        Random random = new Random(1);
        return new CallService(
                settings,
                time,
                RouteReader.parse("routes", routes),
                new CallService.Memory(
                        new Duplicates(1_000, 1_000_000),
                        new Transactions(1_000, NOW, random),
                        random),
                new TextTokens(random),
                records);
    }

    private Element answer(String components) {
        return answer("m1", components, "127.0.0.1");
    }

    private Element answer(String messageId, String components, String client) {
        String text =
                "<Message messageId=\""
                        + messageId
                        + "\" random=\"1\">"
                        + components
                        + "</Message>";
        byte[] xml =
                AnswerWriter.message(
                        messageId,
                        1,
                        service.answer(READER.read(text.getBytes(StandardCharsets.UTF_8)), client));
        return Objects.requireNonNull(READER.tree(xml));
    }

    private static Element child(Element element, String name) {
        return Objects.requireNonNull(element.child(name), name);
    }

    private static int status(Element component) {
        return Integer.parseInt(child(component, "Status").text("Code"));
    }

    private static String request(String calling, String called, String more) {
        return "<AuthorizationRequest componentId=\"c1\"><Timestamp>2026-11-22T12:00:00Z</Timestamp>"
                + "<CallId encoding=\"base64\">MQ==</CallId><SourceInfo type=\"e164\">"
                + calling
                + "</SourceInfo><DestinationInfo type=\"e164\">"
                + called
                + "</DestinationInfo><Service/>"
                + more
                + "</AuthorizationRequest>";
    }

    private Element authorize(String calling, String called, String more) {
        return child(answer(request(calling, called, more)), "AuthorizationResponse");
    }

    private static String usage(String component, String transaction, String more) {
        return "<UsageIndication componentId=\""
                + component
                + "\"><Role>source</Role><TransactionId>"
                + transaction
                + "</TransactionId><CallId encoding=\"base64\">MQ==</CallId>"
                + "<SourceInfo type=\"e164\">1404</SourceInfo><UsageDetail><Amount>30.000</Amount>"
                + "<Increment>1</Increment><Unit>s</Unit><TerminationCause type=\"q850\">"
                + "<TCCode>16</TCCode></TerminationCause></UsageDetail>"
                + more
                + "</UsageIndication>";
    }

    private List<String> lines() throws Exception {
        return Files.readAllLines(folder.resolve("records.tsv"));
    }

    @Test
    void authorizationHasAllThatAGatewayNeeds() {
        Element response =
                authorize("14048724799", "1678", "<MaximumDestinations>8</MaximumDestinations>");
        assertThat(status(response)).isEqualTo(200);
        assertThat(response.text("Timestamp")).isEqualTo("2026-11-22T12:00:00Z");
        assertThat(Long.parseLong(response.text("TransactionId"))).isPositive();
        List<Element> destinations = response.children("Destination");
        assertThat(destinations)
                .extracting(each -> each.text("DestinationSignalAddress"))
                .containsExactly("[1.1.1.1]", "[2.2.2.2]");
        Element second = destinations.get(1);
        assertThat(second.text("CallId")).isEqualTo("MQ==");
        assertThat(second.text("DestinationInfo", "e164")).isEqualTo("1678");
        assertThat(second.text("ValidUntil")).isEqualTo("2026-11-22T12:05:00Z");
        assertThat(second.text("SignalingProtocol")).isEqualTo("sip");
        assertThat(child(second, "UsageDetail").text("Amount")).isEqualTo("600");
        assertThat(second.text("Token")).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "14045551234,1678,200",
        "'',1678,200",
        "+1 (404) 555-1234,+1-678,200",
        "14045551234,44,404",
        "14045551234,1900555,403",
        "14045551234,1484,484",
        "6661,1678,405",
        "abc,1678,428",
        "1404,16x78,489",
        "1404,'',489"
    })
    void numbersDecideTheStatus(String calling, String called, int expected) {
        assertThat(status(authorize(calling, called, ""))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "DestinationInfo,sip,+1 (900) 555-1234,403",
        "DestinationInfo,E164,19005551234,489",
        "SourceInfo,sip,6661,405",
        "SourceInfo,E164,6661,428"
    })
    void typeLeadsAroundNoPrefix(String end, String type, String number, int expected) {
        String text =
                request("1404", "1678", "")
                        .replaceAll(
                                "<" + end + " type=\"e164\">[0-9]*",
                                "<" + end + " type=\"" + type + "\">" + number);
        assertThat(status(child(answer(text), "AuthorizationResponse"))).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(value = OspStatus.class, mode = EnumSource.Mode.EXCLUDE, names = "SUCCESS")
    void everyStatusCanBeConfigured(OspStatus refusal) throws Exception {
        service = service("refuse 5 " + refusal.code(), CallSettings.STANDARD);
        assertThat(status(authorize("1", "5", ""))).isEqualTo(refusal.code());
    }

    @Test
    void maximumDestinationsLimitsTheAnswer() {
        assertThat(
                        authorize("1", "1678", "<MaximumDestinations>1</MaximumDestinations>")
                                .children("Destination"))
                .hasSize(1);
        assertThat(
                        status(
                                child(
                                        answer(
                                                "m2",
                                                request(
                                                        "1",
                                                        "1678",
                                                        "<MaximumDestinations>x</MaximumDestinations>"),
                                                ""),
                                        "AuthorizationResponse")))
                .isEqualTo(400);
    }

    @Test
    void callRateIsLimitedPerSecond() {
        for (int i = 0; i < 3; i++) {
            Element response =
                    child(
                            answer("r" + i, request("7771", "1678", ""), ""),
                            "AuthorizationResponse");
            assertThat(status(response)).isEqualTo(i < 2 ? 200 : 441);
        }
        second.incrementAndGet();
        assertThat(
                        status(
                                child(
                                        answer("r3", request("7771", "1678", ""), ""),
                                        "AuthorizationResponse")))
                .isEqualTo(200);
    }

    @Test
    void criticalElementIsRefusedAndOptionalIgnored() {
        assertThat(status(authorize("1", "1678", "<New/>"))).isEqualTo(412);
        assertThat(
                        status(
                                child(
                                        answer(
                                                "m2",
                                                request("1", "1678", "<New critical=\"false\"/>"),
                                                ""),
                                        "AuthorizationResponse")))
                .isEqualTo(200);
        Element unknown = child(answer("<New componentId=\"n\"/>"), "AuthorizationResponse");
        assertThat(status(unknown)).isEqualTo(412);
        assertThat(
                        status(
                                child(
                                        answer(
                                                "<SubscriberAuthenticationRequest componentId=\"s\"/>"),
                                        "SubscriberAuthenticationResponse")))
                .isEqualTo(501);
    }

    @Test
    void unknownCustomerIsUnauthorized() throws Exception {
        service = service(ROUTES + "customer 1000\n", CallSettings.STANDARD);
        String known = "<CustomerId critical=\"false\">1000</CustomerId>";
        assertThat(status(authorize("1", "1678", known))).isEqualTo(200);
        assertThat(
                        status(
                                child(
                                        answer(
                                                "m2",
                                                request("1", "1678", known.replace("1000", "9")),
                                                ""),
                                        "AuthorizationResponse")))
                .isEqualTo(401);
    }

    @Test
    void timestampIsCheckedIfThatIsSet() throws Exception {
        service = service(ROUTES, new CallSettings(300, 30, 60, 8, 10_000));
        second.set(NOW + 60);
        assertThat(status(authorize("1", "1678", ""))).isEqualTo(200);
        second.set(NOW + 61);
        assertThat(
                        status(
                                child(
                                        answer("m2", request("1", "1678", ""), ""),
                                        "AuthorizationResponse")))
                .isEqualTo(530);
        assertThat(
                        status(
                                child(
                                        answer(
                                                "m3",
                                                request("1", "1678", "")
                                                        .replace("12:00:00Z", "noon"),
                                                ""),
                                        "AuthorizationResponse")))
                .isEqualTo(400);
    }

    @Test
    void missingCallIdIsABadRequest() {
        String request = request("1", "1678", "");
        for (String wrong :
                List.of(
                        request.replace("<CallId encoding=\"base64\">MQ==</CallId>", ""),
                        request.replace("MQ==", "!"),
                        request.replaceAll("<DestinationInfo.*</DestinationInfo>", ""))) {
            assertThat(
                            status(
                                    child(
                                            answer("m" + wrong.hashCode(), wrong, ""),
                                            "AuthorizationResponse")))
                    .isEqualTo(400);
        }
    }

    private String token() {
        return authorize("1404", "1678", "").children("Destination").getFirst().text("Token");
    }

    private int indication(String token, String calling, String called) {
        String text =
                request(
                                calling,
                                called,
                                "<Role>destination</Role><Token encoding=\"base64\">"
                                        + token
                                        + "</Token>")
                        .replace("AuthorizationRequest", "AuthorizationIndication");
        return status(
                child(
                        answer("i" + text.hashCode() + second, text, ""),
                        "AuthorizationConfirmation"));
    }

    @Test
    void tokenIsCheckedForItsCallAndTime() {
        String token = token();
        assertThat(indication(token, "1404", "1678")).isEqualTo(200);
        assertThat(indication(token, "1404", "16789")).isEqualTo(420);
        assertThat(indication(token, "1405", "1678")).isEqualTo(420);
        assertThat(indication("AAAA", "1404", "1678")).isEqualTo(420);
        second.set(NOW + 331);
        assertThat(indication(token, "1404", "1678")).isEqualTo(530);
        second.set(NOW - 61);
        assertThat(indication(token, "1404", "1678")).isEqualTo(531);
    }

    @Test
    void reauthorizationExtendsAKnownCall() {
        Element first = authorize("1404", "1678", "");
        String id = first.text("TransactionId");
        String token = first.children("Destination").getFirst().text("Token");
        second.addAndGet(200);
        String text =
                request(
                                "1404",
                                "1678",
                                "<Role>source</Role><TransactionId>"
                                        + id
                                        + "</TransactionId><Token encoding=\"base64\">"
                                        + token
                                        + "</Token>")
                        .replace("AuthorizationRequest", "ReauthorizationRequest");
        Element response = child(answer("m2", text, ""), "ReauthorizationResponse");
        assertThat(status(response)).isEqualTo(200);
        assertThat(response.text("TransactionId")).isEqualTo(id);
        Element destination = child(response, "Destination");
        assertThat(destination.text("DestinationSignalAddress")).isEqualTo("[1.1.1.1]");
        assertThat(destination.text("ValidUntil")).isEqualTo("2026-11-22T12:08:20Z");
        assertThat(
                        status(
                                child(
                                        answer(
                                                "m3",
                                                text.replace(id, "17")
                                                        .replaceAll("<Token.*</Token>", ""),
                                                ""),
                                        "ReauthorizationResponse")))
                .isEqualTo(401);
        assertThat(
                        status(
                                child(
                                        answer("m4", text.replace(id, "17"), ""),
                                        "ReauthorizationResponse")))
                .isEqualTo(420);
        assertThat(
                        status(
                                child(
                                        answer("m5", text.replace(id, "x"), ""),
                                        "ReauthorizationResponse")))
                .isEqualTo(400);
    }

    private Element reauthorize(String messageId, String calling, String id, String more) {
        String text =
                request(
                                calling,
                                "1678",
                                "<Role>source</Role><TransactionId>"
                                        + id
                                        + "</TransactionId>"
                                        + more)
                        .replace("AuthorizationRequest", "ReauthorizationRequest");
        return child(answer(messageId, text, ""), "ReauthorizationResponse");
    }

    @Test
    void reauthorizationIsForTheCallingNumberOfTheCallOnly() {
        String id = authorize("1404", "1678", "").text("TransactionId");
        assertThat(status(reauthorize("r1", "1405", id, ""))).isEqualTo(401);
        assertThat(status(reauthorize("r2", "6661", id, ""))).isEqualTo(405);
        assertThat(status(reauthorize("r3", "", id, ""))).isEqualTo(401);
        assertThat(status(reauthorize("r4", "+1-404", id, ""))).isEqualTo(200);
    }

    @Test
    void reauthorizationIsForTheDestinationOfTheCall() throws Exception {
        service =
                service(
                        "route 1678 [1.1.1.1] network=a\nroute 1678 [2.2.2.2] rate=1 network=b\n",
                        CallSettings.STANDARD);
        Element first = authorize("1404", "1678", "");
        String id = first.text("TransactionId");
        String token = first.children("Destination").get(1).text("Token");
        String alternate = "<DestinationAlternate type=\"%s\">%s</DestinationAlternate>";
        for (String more :
                List.of(
                        "<Token encoding=\"base64\">" + token + "</Token>",
                        alternate.formatted("network", "b"),
                        alternate.formatted("transport", "[2.2.2.2]"))) {
            Element response = reauthorize("r" + more.hashCode(), "1404", id, more);
            assertThat(status(response)).as(more).isEqualTo(200);
            assertThat(child(response, "Destination").text("DestinationSignalAddress"))
                    .as(more)
                    .isEqualTo("[2.2.2.2]");
        }
        assertThat(child(reauthorize("r1", "1404", id, ""), "Destination").text("Token"))
                .isNotEmpty();
        assertThat(
                        status(
                                reauthorize(
                                        "r2",
                                        "1404",
                                        id,
                                        alternate.formatted("transport", "[3.3.3.3]"))))
                .isEqualTo(401);
    }

    @Test
    void usageIsStoredBeforeItIsConfirmed() throws Exception {
        Element message =
                answer(
                        usage("u1", "18446744073709551615", "")
                                + usage("u2", "7", "<Group><GroupId>g</GroupId></Group>"));
        assertThat(message.children("UsageConfirmation"))
                .hasSize(2)
                .allSatisfy(each -> assertThat(status(each)).isEqualTo(200));
        assertThat(lines()).hasSize(3);
        assertThat(lines().get(1))
                .contains("\tm1\tu1\tsource\t18446744073709551615\tMQ==\t1404\t")
                .contains("\t30.000\t1\ts\t")
                .contains("\t16\t");
        assertThat(lines().get(2)).contains("\tg\t");
    }

    @Test
    void repeatedUsageIsConfirmedButNotStoredAgain() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(status(child(answer(usage("u1", "7", "")), "UsageConfirmation")))
                    .isEqualTo(200);
        }
        assertThat(lines()).hasSize(2);
        answer("m1", usage("u1", "7", ""), "another client");
        answer("m2", usage("u1", "7", ""), "127.0.0.1");
        answer("m1", usage("u2", "7", ""), "127.0.0.1");
        answer("m1", usage("u1", "8", ""), "127.0.0.1");
        assertThat(lines()).hasSize(6);
    }

    @Test
    void repeatedAuthorizationGetsTheSameTransaction() {
        String id = authorize("1404", "1678", "").text("TransactionId");
        assertThat(authorize("1404", "1678", "").text("TransactionId")).isEqualTo(id);
    }

    @Test
    void usageThatCannotBeStoredIsRepeatable() throws Exception {
        records.close();
        assertThat(status(child(answer(usage("u1", "7", "")), "UsageConfirmation"))).isEqualTo(503);
        open();
        assertThat(status(child(answer(usage("u1", "7", "")), "UsageConfirmation"))).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "<Role>source</Role>,''",
        "<TransactionId>7</TransactionId>,<TransactionId>x</TransactionId>",
        "<TransactionId>7</TransactionId>,<TransactionId>18446744073709551616</TransactionId>",
        "MQ==,!",
        "UsageDetail,Service"
    })
    void usageWithoutItsPartsIsABadRequest(String part, String instead) throws Exception {
        Element message = answer(usage("u1", "7", "").replace(part, instead));
        assertThat(status(child(message, "UsageConfirmation"))).isEqualTo(400);
        assertThat(lines()).hasSize(1);
    }

    @Test
    void capabilitiesMoveADestinationToTheEnd() {
        assertThat(status(capabilities("true"))).isEqualTo(200);
        assertThat(firstDestination("a")).isEqualTo("[2.2.2.2]");
        assertThat(status(capabilities("false"))).isEqualTo(200);
        assertThat(firstDestination("b")).isEqualTo("[1.1.1.1]");
        capabilities("true");
        second.addAndGet(60);
        assertThat(firstDestination("c")).isEqualTo("[1.1.1.1]");
        assertThat(status(capabilities("perhaps"))).isEqualTo(400);
    }

    @Test
    void devicesOutsideOfTheRouteTableAreNotKept() {
        assertThat(status(capabilities("true"))).isEqualTo(200);
        for (int i = 0; i < 1_000; i++) {
            assertThat(status(capabilities("true", "[10.0.0." + i + "]"))).isEqualTo(200);
        }
        assertThat(firstDestination("a")).isEqualTo("[2.2.2.2]");
    }

    private Element capabilities(String out) {
        return capabilities(out, "[1.1.1.1]");
    }

    private Element capabilities(String out, String address) {
        Element confirmation =
                child(
                        answer(
                                "cap" + out + second,
                                "<CapabilitiesIndication componentId=\"k\"><SourceAlternate"
                                        + " type=\"transport\">"
                                        + address
                                        + "</SourceAlternate>"
                                        + "<OSPVersion>2.1.1</OSPVersion><Resources>"
                                        + "<AlmostOutOfResources>"
                                        + out
                                        + "</AlmostOutOfResources></Resources></CapabilitiesIndication>",
                                Integer.toString(clients++)),
                        "CapabilitiesConfirmation");
        assertThat(confirmation.text("OSPVersion")).isEqualTo("2.1.1");
        return confirmation;
    }

    private int clients;

    private String firstDestination(String messageId) {
        return child(answer(messageId, request("1", "1678", ""), ""), "AuthorizationResponse")
                .children("Destination")
                .getFirst()
                .text("DestinationSignalAddress");
    }

    @ParameterizedTest
    @CsvSource({"0.02,USD,60,200", "x,USD,60,400", "1,usd,60,400", "1,USD,0,400", "'',USD,1,400"})
    void pricesAreChecked(String amount, String currency, String increment, int expected) {
        String price =
                "<PricingIndication componentId=\"p\"><Amount>"
                        + amount
                        + "</Amount><Currency>"
                        + currency
                        + "</Currency><Increment>"
                        + increment
                        + "</Increment><Unit>s</Unit></PricingIndication>";
        assertThat(status(child(answer(price), "PricingConfirmation"))).isEqualTo(expected);
    }

    @Test
    void severalComponentsAreAnsweredInOrderEachWithItsStatus() {
        Element message =
                answer(
                        usage("u1", "7", "")
                                + request("1", "44", "")
                                + usage("u2", "x", "")
                                + request("1", "1678", "").replace("c1", "c2"));
        assertThat(message.children("UsageConfirmation"))
                .extracting(CallServiceTest::status)
                .containsExactly(200, 400);
        assertThat(message.children("AuthorizationResponse"))
                .extracting(CallServiceTest::status)
                .containsExactly(404, 200);
    }

    @Test
    void messageThatCannotBeReadGetsAnAnswerAllTheSame() {
        Element nothing = child(answer("<"), "AuthorizationResponse");
        assertThat(status(nothing)).isEqualTo(411);
        Element begun = child(answer("<UsageIndication componentId=\"u\"><"), "UsageConfirmation");
        assertThat(status(begun)).isEqualTo(411);
    }
}
