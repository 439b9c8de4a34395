package dev.serval.servlet.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
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

    @Test
    void headWithTheSameFieldsIsMadeOnce() {
        ResponseHead first = head("private", "text/html", 5);
        assertThat(head("private", "text/html", 5)).isSameAs(first);
        assertThat(head("private", "text/html", 6).contentLength()).isEqualTo(6);
        assertThat(first.fields().first(FieldName.CACHE_CONTROL)).isEqualTo("private");
        assertThat(first.fields().first(FieldName.CONTENT_TYPE)).isEqualTo("text/html");
    }

    @Test
    void headsThatDifferAreNotTakenForEachOther() {
        ResponseHead first = head("private", "text/html", 5);
        assertThat(head("no-store", "text/html", 5)).isNotSameAs(first);
        head("private", "text/html", 5);
        assertThat(values(head("another", "text/html", 5)))
                .containsExactly("another", "text/html"); // as long as `private`
        assertThat(values(head("private", "text/json", 5)))
                .containsExactly("private", "text/json"); // as long as text/html
        assertThat(values(head("private", null, 5))).containsExactly("private");
        Fields fields = Fields.of(FieldName.CACHE_CONTROL, "private");
        assertThat(heads.head(404, fields, "text/html", 5).status()).isEqualTo(Status.NOT_FOUND);
        assertThat(heads.head(200, fields, "text/html", 5).status()).isEqualTo(Status.OK);
    }

    @Test
    void headsWithoutFieldsAreFoundBySizeToo() {
        ResponseHead first = heads.head(404, Fields.EMPTY, "text/html", 5);
        assertThat(heads.head(404, Fields.EMPTY, "text/html", 5)).isSameAs(first);
        assertThat(heads.head(404, Fields.EMPTY, null, 5).fields().size()).isZero();
    }

    @Test
    void headWithACookieIsNotKept() {
        Fields fields = Fields.of(FieldName.SET_COOKIE, "id=secret");
        ResponseHead first = heads.head(200, fields, "text/html", 5);
        assertThat(heads.head(200, fields, "text/html", 5)).isNotSameAs(first);
    }

    @Test
    void fieldsThatChangeLaterDoNotChangeTheKeptHead() {
        Fields fields = Fields.of(FieldName.CACHE_CONTROL, "private");
        ResponseHead first = heads.head(200, fields, "text/html", 5);
        fields.set(FieldName.CACHE_CONTROL, "another");
        assertThat(values(first)).containsExactly("private", "text/html");
        assertThat(values(heads.head(200, fields, "text/html", 5)))
                .containsExactly("another", "text/html");
    }

    private ResponseHead head(String caching, @Nullable String media, long length) {
        return heads.head(200, Fields.of(FieldName.CACHE_CONTROL, caching), media, length);
    }

    private static List<String> values(ResponseHead head) {
        return IntStream.range(0, head.fields().size()).mapToObj(head.fields()::value).toList();
    }
}
