package dev.serval.servlet.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.http.FieldName;
import dev.serval.http.ResponseHead;
import org.junit.jupiter.api.Test;

final class PlainHeadsTest {
    private final PlainHeads heads = new PlainHeads();

    @Test
    void keepsOneHeadForEachType() {
        ResponseHead text = heads.of("text/plain");
        ResponseHead html = heads.of("text/html;charset=UTF-8");
        assertThat(heads.of("text/plain")).isSameAs(text).isNotSameAs(html);
        assertThat(text.fields().first(FieldName.CONTENT_TYPE)).isEqualTo("text/plain");
        assertThat(html.fields().first(FieldName.CONTENT_TYPE))
                .isEqualTo("text/html;charset=UTF-8");
        assertThat(text.contentLength()).isEqualTo(ResponseHead.UNKNOWN_LENGTH);
        assertThat(text.withContentLength(5).contentLength()).isEqualTo(5);
        assertThat(text.withContentLength(6).contentLength()).isEqualTo(6);
        assertThat(text.withContentLength(6)).isSameAs(text.withContentLength(6));
    }

    @Test
    void keepsABoundedNumber() {
        for (int i = 0; i < 64; i++) {
            assertThat(heads.of("a/" + i)).isSameAs(heads.of("a/" + i));
        }
        assertThat(heads.of("a/64")).isNotSameAs(heads.of("a/64"));
        assertThat(heads.of("a/64").fields().first(FieldName.CONTENT_TYPE)).isEqualTo("a/64");
        assertThat(heads.of("a/0")).isSameAs(heads.of("a/0"));
    }
}
