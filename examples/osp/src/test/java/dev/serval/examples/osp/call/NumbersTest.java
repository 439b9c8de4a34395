package dev.serval.examples.osp.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.examples.osp.message.Element;
import dev.serval.examples.osp.message.MessageLimits;
import dev.serval.examples.osp.message.MessageReader;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NumbersTest {
    private static final MessageReader READER = new MessageReader(MessageLimits.STANDARD);

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "e164,19005551234,19005551234",
                "e164,+1 (900) 555-1234,19005551234",
                "e164,+1x,none",
                "'',1900*#,1900*#",
                "cic,1900,1900",
                "sip,+1 (900) 555-1234,19005551234",
                "url,19005551234,19005551234",
                "q850,16,16",
                "deviceId,box 7,''",
                "sip,sip:alice@example.com,''",
                "sip,sip:19005551234@example.com,19005551234",
                "sip,sip:+1-900-555-1234@example.com:5060;user=phone,19005551234",
                "sip,SIPS:1900;phone-context=+1@example.com,1900",
                "sip,sip:1900:secret@example.com,1900",
                "sip,sip:%31900@example.com,1900",
                "sip,sip:%3@example.com,''",
                "sip,sip:1900,1900",
                "sip,sip:192.0.2.1:5060,''",
                "sip,sip:example.com,''",
                "sip,sip:,''",
                "sip,19005551234@example.com,19005551234",
                "sip,&lt;19005551234@example.com&gt;,19005551234",
                "sip,&lt;19005551234&gt;,19005551234",
                "sip,Bob &lt;sip:1900@example.com&gt;,1900",
                "sip,&lt;tel:+1900&gt;,1900",
                "url,tel:+1-900-555-1234,19005551234",
                "url,tel:1900;phone-context=example.com,1900",
                "url,tel:1.900,1900",
                "e164,tel:+19005551234,19005551234",
                "e164,sip:alice@example.com,none",
                "url,http://1900@example.com,''",
                "email,alice@example.com,''",
                "transport,[192.0.2.1]:5060,''",
                "E164,19005551234,none",
                "new,alice,none"
            })
    void typeAndTextDecideTheNumber(String type, String text, @Nullable String expected) {
        Element element =
                READER.tree(
                        ("<SourceInfo type=\"" + type + "\">" + text + "</SourceInfo>")
                                .getBytes(StandardCharsets.UTF_8));
        assertThat(Numbers.of(Objects.requireNonNull(element))).isEqualTo(expected);
    }
}
