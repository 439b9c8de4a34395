package dev.serval.servlet.login;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.codec.CodecKey;
import dev.serval.http.FieldName;
import dev.serval.http.RequestHead;
import dev.serval.http.RequestHeadWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// No field Authorization, and no saved request, causes an exception. What is read is within its
/// grammar.
final class CredentialsFuzz {
    @FuzzTest(maxDuration = "20s")
    void readsOrRefusesBasic(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        for (String field : new String[] {text, "Basic " + text}) {
            BasicLogin.@Nullable Credentials read = BasicLogin.Credentials.parse(field);
            if (read != null) {
                assertThat(read.name()).doesNotContain(":");
                assertThat((read.name() + read.password()).chars())
                        .noneMatch(Character::isISOControl);
            }
        }
        String encoded = Base64.getEncoder().encodeToString(bytes);
        BasicLogin.@Nullable Credentials read = BasicLogin.Credentials.parse("basic " + encoded);
        if (read != null) {
            assertThat((read.name() + ":" + read.password()).getBytes(StandardCharsets.UTF_8))
                    .isEqualTo(bytes);
        }
    }

    @FuzzTest(maxDuration = "20s")
    void readsOrRefusesDigest(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        @Nullable Map<String, String> all = AuthParameters.parse("Digest " + text, "Digest");
        if (all != null) {
            assertThat(all).hasSizeLessThanOrEqualTo(33);
            assertThat(all.keySet()).allMatch(name -> !name.isEmpty() && !name.contains(" "));
        }
        @Nullable DigestResponse read =
                DigestResponse.parse(
                        "Digest algorithm=SHA-256, qop=auth, realm=a, nonce=b, uri=\"/\","
                                + " response=c, cnonce=d, "
                                + text);
        if (read != null) {
            assertThat(read.nonceCount()).isBetween(0L, 0xffff_ffffL);
        }
    }

    /// A saved request continues with the method, the target, the fields and the cookies that it
    /// should have, or not at all.
    @FuzzTest(maxDuration = "20s")
    void savedRequestKeepsItsParts(byte[] bytes) {
        int half = bytes.length / 2;
        String target = "/" + plain(Arrays.copyOf(bytes, half));
        String value = plain(Arrays.copyOfRange(bytes, half, bytes.length));
        SavedRequest saved =
                new SavedRequest(
                        "POST", target, List.of(new SavedRequest.Line("X-Own", value)), bytes);
        RequestHeadWriter carrier = new RequestHeadWriter(CodecKey.KEY);
        byte[] cookie = "Cookiea=b".getBytes(StandardCharsets.ISO_8859_1);
        carrier.fields().mark(FieldName.of("Cookie"), 0, 6, 6, 9);
        carrier.keep(cookie, 0, cookie.length);
        @Nullable RequestHead head = saved.head(carrier.head());
        if (head == null) {
            return;
        }
        assertThat(head.methodText()).isEqualTo("POST");
        assertThat(head.target().text()).isEqualTo(target);
        assertThat(head.fields().first("X-Own")).isEqualTo(value);
        assertThat(head.fields().all("Cookie")).containsExactly("a=b");
        assertThat(head.contentLength()).isEqualTo(bytes.length);
    }

    private static String plain(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte b : bytes) {
            char c = (char) (b & 0xff);
            if (c > ' ' && c < 0x7f) {
                text.append(c);
            }
        }
        return text.toString();
    }
}
