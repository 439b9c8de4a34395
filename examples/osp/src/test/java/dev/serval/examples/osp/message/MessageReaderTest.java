package dev.serval.examples.osp.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MessageReaderTest {
    private static final MessageReader READER = new MessageReader(MessageLimits.STANDARD);

    private static OspMessage read(String text) {
        return read(text, StandardCharsets.UTF_8);
    }

    private static OspMessage read(String text, Charset charset) {
        return READER.read(text.getBytes(charset));
    }

    private static String message(String components) {
        return "<?xml version=\"1.0\"?><Message messageId=\"m1\" random=\"5\">"
                + components
                + "</Message>";
    }

    private static String request(String content) {
        return message(
                "<AuthorizationRequest componentId=\"c1\">" + content + "</AuthorizationRequest>");
    }

    @Test
    void readsComponentsInOrderWithoutWhiteSpaceAroundValues() {
        OspMessage message =
                read(
                        message(
                                """
                                <UsageIndication componentId="a"><Role>
                                source</Role><CallId encoding="base64">
                                MQ==
                                </CallId><SourceAlternate type="network">n</SourceAlternate>
                                <SourceAlternate type="transport"> [1.1.1.1] </SourceAlternate></UsageIndication>
                                <AuthorizationRequest componentId="b"/>
                                """));
        assertThat(message.status()).isEqualTo(OspStatus.SUCCESS);
        assertThat(message.id()).isEqualTo("m1");
        assertThat(message.components())
                .extracting(Component::kind)
                .containsExactly(
                        ComponentKind.USAGE_INDICATION, ComponentKind.AUTHORIZATION_REQUEST);
        Component usage = message.components().getFirst();
        assertThat(usage.id()).isEqualTo("a");
        assertThat(usage.fault()).isEmpty();
        assertThat(usage.element().text("Role")).isEqualTo("source");
        assertThat(usage.element().text("SourceAlternate", "transport")).isEqualTo("[1.1.1.1]");
        assertThat(usage.element().text("SourceAlternate", "sip")).isEmpty();
        assertThat(usage.element().child("CallId")).isNotNull();
        assertThat(usage.element().children("SourceAlternate")).hasSize(2);
    }

    @Test
    void readsCdataAndTheFiveEntities() {
        Element element =
                read(request("<CallId><![CDATA[<1>]]></CallId><Role>&lt;&amp;&#65;</Role>"))
                        .components()
                        .getFirst()
                        .element();
        assertThat(element.text("CallId")).isEqualTo("<1>");
        assertThat(element.child("CallId")).extracting(Element::base64).isEqualTo("PDE+");
        assertThat(element.text("Role")).isEqualTo("<&A");
    }

    @ParameterizedTest
    @CsvSource({
        "<Foo/>,Foo",
        "<Foo critical=\"true\"/>,Foo",
        "<Role><Bar/></Role>,Bar",
        "<Foo critical=\"false\"><Bar/></Foo>,''",
        "<Foo critical=\"false\"/><Role/>,''",
        "<Timestamp critical=\"true\"/>,''"
    })
    void findsUnknownCriticalElement(String content, String expected) {
        OspMessage message = read(request(content));
        assertThat(message.status()).isEqualTo(OspStatus.SUCCESS);
        assertThat(message.components().getFirst().fault()).isEqualTo(expected);
    }

    @Test
    void ignoredElementLeavesItsNeighbours() {
        Element element =
                read(request("<Foo critical=\"false\"><Role>no</Role>x</Foo><Role>yes</Role>"))
                        .components()
                        .getFirst()
                        .element();
        assertThat(element.children("Role")).extracting(Element::text).containsExactly("yes");
    }

    @Test
    void unknownComponentIsKeptUnlessItIsOptional() {
        OspMessage message =
                read(message("<Foo critical=\"false\"/><Foo componentId=\"x\"><Bar/></Foo>"));
        assertThat(message.components()).hasSize(1);
        assertThat(message.components().getFirst().kind()).isEqualTo(ComponentKind.UNKNOWN);
        assertThat(message.components().getFirst().fault()).isEqualTo("Foo");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "<Message messageId=\"1\">",
                "<Message messageId=\"1\"></Massage>",
                "<?xml version=\"1.0\"?><!DOCTYPE Message><Message messageId=\"1\"/>",
                "<!DOCTYPE m [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><Message messageId=\"1\">"
                        + "<AuthorizationRequest componentId=\"1\"><Role>&e;</Role>"
                        + "</AuthorizationRequest></Message>",
                "<Message messageId=\"1\"><AuthorizationRequest componentId=\"1\"><Role>&e;</Role>"
                        + "</AuthorizationRequest></Message>"
            })
    void refusesWhatIsNotWellFormedOrHasADocumentType(String text) {
        OspMessage message = read(text);
        assertThat(message.status()).isEqualTo(OspStatus.PARSE_FAILED);
        assertThat(message.components())
                .allSatisfy(each -> assertThat(each.element().children("Role")).isEmpty());
    }

    @ParameterizedTest
    @CsvSource({
        "<Other/>,must be Message",
        "<Message><AuthorizationRequest componentId='1'/></Message>,no attribute messageId",
        "<Message messageId='1'><AuthorizationRequest/></Message>,no attribute componentId",
        "<Message messageId='1'/>,no component"
    })
    void refusesMessageWithoutItsParts(String text, String why) {
        OspMessage message = read(text.replace('\'', '"'));
        assertThat(message.status()).isEqualTo(OspStatus.BAD_REQUEST);
        assertThat(message.detail()).contains(why);
    }

    @Test
    void faultAfterTheBeginningKeepsTheIds() {
        OspMessage message =
                read("<Message messageId=\"m\"><UsageIndication componentId=\"c\"><Role>");
        assertThat(message.status()).isEqualTo(OspStatus.PARSE_FAILED);
        assertThat(message.id()).isEqualTo("m");
        assertThat(message.components()).hasSize(1);
        assertThat(message.components().getFirst().id()).isEqualTo("c");
        assertThat(message.components().getFirst().kind())
                .isEqualTo(ComponentKind.USAGE_INDICATION);
    }

    @Test
    void refusesOtherEncodings() {
        String text = request("<Role>ä</Role>");
        assertThat(read(text).status()).isEqualTo(OspStatus.SUCCESS);
        assertThat(read("\uFEFF" + text).status()).isEqualTo(OspStatus.SUCCESS);
        assertThat(read(text, StandardCharsets.ISO_8859_1).status())
                .isEqualTo(OspStatus.CHARACTER_ENCODING);
        assertThat(read(text, StandardCharsets.UTF_16).status())
                .isEqualTo(OspStatus.CHARACTER_ENCODING);
        assertThat(read(text.replace("\"1.0\"", "\"1.0\" encoding=\"UTF-8\"")).status())
                .isEqualTo(OspStatus.SUCCESS);
        assertThat(read(text.replace("\"1.0\"", "\"1.0\" encoding=\"EBCDIC-CP-US\"")).status())
                .isEqualTo(OspStatus.CHARACTER_ENCODING);
        assertThat(read(request("<Role>\uFFFD</Role>")).status()).isEqualTo(OspStatus.SUCCESS);
    }

    @Test
    void limitsSizeDepthElementsComponentsAndIds() {
        assertThat(READER.read(new byte[64 << 10]).status()).isEqualTo(OspStatus.PARSE_FAILED);
        assertThat(READER.read(new byte[(64 << 10) + 1]).status()).isEqualTo(OspStatus.BAD_REQUEST);
        assertThat(nested(14).status()).isEqualTo(OspStatus.SUCCESS);
        assertThat(nested(15).detail()).contains("16 deep");
        assertThat(read(request("<Role/>".repeat(1998))).status()).isEqualTo(OspStatus.SUCCESS);
        assertThat(read(request("<Role/>".repeat(1999))).detail()).contains("2000 elements");
        String component = "<AuthorizationRequest componentId=\"1\"/>";
        assertThat(read(message(component.repeat(100))).components()).hasSize(100);
        assertThat(read(message(component.repeat(101))).detail()).contains("100 components");
        assertThat(
                        read(message(component.replace("\"1\"", "\"" + "1".repeat(101) + "\"")))
                                .detail())
                .contains("componentId has more than 100");
    }

    private static OspMessage nested(int depth) {
        return read(request("<Role>".repeat(depth) + "</Role>".repeat(depth)));
    }

    @Test
    void answersAreEscaped() {
        Component component =
                new Component(ComponentKind.USAGE_INDICATION, "a\"<&", Element.none(), "");
        String xml = AnswerWriter.status(component, "now", OspStatus.DECLINED);
        assertThat(xml)
                .startsWith("<UsageConfirmation componentId=\"a&quot;&lt;&amp;\">")
                .contains("<Timestamp>now</Timestamp>")
                .contains("<Code>603</Code>");
        Element read =
                Objects.requireNonNull(
                        READER.tree(AnswerWriter.message("m<\u0001>", -5, List.of(xml))));
        assertThat(read.child("UsageConfirmation")).isNotNull();
    }

    @Test
    void timesHaveSecondsAndZone() {
        assertThat(OspTime.text(1_795_319_384L)).isEqualTo("2026-11-22T03:49:44Z");
        assertThat(OspTime.second("2026-11-22T03:49:44Z")).isEqualTo(1_795_319_384L);
        assertThat(OspTime.second("yesterday")).isNull();
        assertThat(OspTime.second("2026-11-22T03:49:44Z" + " ".repeat(100))).isNull();
    }
}
