package dev.serval.servlet.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;

/// The fields of a response (Javadoc of HttpServletResponse), two of which are kept elsewhere.
final class ResponseFieldsTest {
    private final ResponseType type = new ResponseType("UTF-8");
    private final ResponseFields fields = new ResponseFields(type);

    @Test
    void typeAndLengthAreSeenLikeOtherFields() {
        fields.set("content-type", "text/plain");
        fields.add("Content-Length", " 12 ");
        fields.add("X-A", "1");
        fields.add("x-a", "2");
        assertThat(fields.all().size()).as("those that are kept here").isEqualTo(2);
        assertThat(fields.contentLength()).isEqualTo(12);
        assertThat(fields.first("CONTENT-LENGTH")).isEqualTo("12");
        assertThat(fields.values("Content-Type")).containsExactly("text/plain");
        assertThat(fields.values("Content-Length")).containsExactly("12");
        assertThat(fields.values("X-A")).containsExactly("1", "2");
        assertThat(fields.names()).containsExactly("Content-Type", "Content-Length", "X-A");
    }

    @Test
    void framingIsLeftToTheEngine() {
        fields.set("Transfer-Encoding", "chunked");
        fields.add("transfer-encoding", "gzip");
        assertThat(fields.names()).isEmpty();
    }

    @Test
    void lengthIsANumber() {
        assertThatIllegalArgumentException().isThrownBy(() -> fields.set("Content-Length", "few"));
        assertThat(fields.first("Content-Length")).isNull();
    }

    @Test
    void nullRemoves() {
        fields.set("Content-Type", "text/plain");
        fields.set("Content-Length", "1");
        fields.set("X-A", "1");
        for (String name : fields.names()) {
            fields.set(name, null);
        }
        assertThat(fields.names()).isEmpty();
    }

    @Test
    void clearingKeepsTheType() {
        fields.set("Content-Type", "text/plain");
        fields.set("Content-Length", "1");
        fields.set("X-A", "1");
        fields.clear();
        assertThat(fields.names()).containsExactly("Content-Type");
    }

    @Test
    void trailersAreWrittenAsOtherFields() {
        assertThat(FieldViews.fields(Map.of("X-Sum", "7 \u20ac \u00e9")).first("X-Sum"))
                .isEqualTo("7 ? \u00e9");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FieldViews.fields(Map.of("X-Sum", "7\r\n")));
    }
}
