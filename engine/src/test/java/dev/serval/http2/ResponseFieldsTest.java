package dev.serval.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.hpack.FieldSink;
import dev.serval.hpack.HeaderBlock;
import dev.serval.hpack.HpackScratch;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.HttpDate;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ResponseFieldsTest {
    private final HeaderBlock block = new HeaderBlock();
    private final ResponseFields fields = new ResponseFields(block);
    private final Text text = new Text();
    private final BlockReader reader = new BlockReader(new HpackScratch(), text);
    private final byte[] date = new byte[HttpDate.LENGTH];

    /// Writes fields down.
    private static final class Text implements FieldSink {
        StringBuilder lines = new StringBuilder();

        @Override
        public void name(@Nullable FieldName known, byte[] from, int at, int end) {
            lines.append(new String(from, at, end - at, StandardCharsets.ISO_8859_1)).append('=');
        }

        @Override
        public void value(byte[] from, int at, int end) {
            lines.append(new String(from, at, end - at, StandardCharsets.ISO_8859_1)).append('|');
        }
    }

    private String read() {
        text.lines = new StringBuilder();
        reader.begin(10_000, text);
        assertThat(reader.read(block.array(), 0, block.length(), true)).isNull();
        return text.lines.toString();
    }

    private String head(ResponseHead head, long second) {
        HttpDate.write(second, date, 0);
        fields.head(head, date);
        return read();
    }

    /// RFC 7541 §2.3.3: a change of the table's size, which another block carries, evicts the entries that
    /// a kept head refers to.
    @Test
    void keptHeadIsMadeAnewAfterAChangeOfTheTable() {
        Fields some = new Fields().add("X-A", "1");
        ResponseHead head = new ResponseHead(Status.OK, some, 12);
        String first = head(head, 0);
        for (int i = 0; i < 4; i++) {
            assertThat(head(head, 0)).isEqualTo(first);
        }
        fields.tableMax(0);
        fields.interim(Status.CONTINUE, Fields.EMPTY);
        assertThat(read()).isEqualTo(":status=100|");
        assertThat(head(head, 0)).isEqualTo(first);
    }

    @Test
    void headHasStatusFieldsLengthAndDate() {
        Fields some = new Fields().add("X-A", "1").add(FieldName.CONTENT_TYPE, "text/plain");
        assertThat(head(new ResponseHead(Status.OK, some, 12), 0))
                .isEqualTo(
                        ":status=200|x-a=1|content-type=text/plain|content-length=12|"
                                + "date=Thu, 01 Jan 1970 00:00:00 GMT|");
    }

    @Test
    void lengthIsLeftOutIfThereIsNone() {
        assertThat(head(new ResponseHead(Status.OK, Fields.EMPTY, -1), 0))
                .startsWith(":status=200|date=");
        assertThat(head(new ResponseHead(Status.NOT_MODIFIED, Fields.EMPTY, 7), 0))
                .startsWith(":status=304|date=");
        assertThat(head(new ResponseHead(Status.OK, Fields.EMPTY, 0), 0))
                .startsWith(":status=200|content-length=0|date=");
        long most = Long.MAX_VALUE;
        assertThat(head(new ResponseHead(Status.OK, Fields.EMPTY, most), 0))
                .contains("content-length=" + most + "|");
    }

    /// RFC 9113 §8.2.2
    @Test
    void fieldsOfHttp1AreLeftOut() {
        Fields some =
                new Fields()
                        .add(FieldName.CONNECTION, "close")
                        .add(FieldName.KEEP_ALIVE, "timeout=5")
                        .add(FieldName.UPGRADE, "h2c")
                        .add(FieldName.PROXY_CONNECTION, "close")
                        .add(FieldName.DATE, "then");
        assertThat(head(new ResponseHead(Status.OK, some, -1), 0))
                .isEqualTo(":status=200|date=then|");
    }

    /// RFC 9113 §8.2.1
    @Test
    void valuesHaveNoBlanksAtTheirEnds() {
        Fields some = new Fields().add("X-A", " \ta b\t ").add("X-B", " \t").add("X-C", "");
        assertThat(head(new ResponseHead(Status.OK, some, -1), 0))
                .startsWith(":status=200|x-a=a b|x-b=|x-c=|date=");
        fields.trailers(new Fields().add("X-D", "d "));
        assertThat(read()).isEqualTo("x-d=d|");
    }

    @Test
    void headThatRepeatsIsShortAndRight() {
        ResponseHead one =
                new ResponseHead(Status.OK, Fields.of(FieldName.ETAG, "\"some-long-tag\""), 4096);
        ResponseHead other =
                new ResponseHead(Status.NOT_FOUND, Fields.of(FieldName.ETAG, "\"other\""), 1);
        String expected = head(one, 1);
        assertThat(head(one, 1)).isEqualTo(expected);
        assertThat(head(one, 1)).isEqualTo(expected);
        assertThat(block.length()).isEqualTo(4); // status, tag, length, date
        for (int i = 0; i < 200; i++) { // dates evict the other entries
            assertThat(head(one, i)).startsWith(expected.substring(0, expected.indexOf("date=")));
            assertThat(head(one, i)).contains(HttpDate.format(i));
            assertThat(head(one, i)).contains(HttpDate.format(i));
            assertThat(head(other, i)).startsWith(":status=404|etag=\"other\"|content-length=1|");
        }
    }

    @Test
    void keptHeadFollowsTheTable() {
        ResponseHead one = new ResponseHead(Status.OK, Fields.of(FieldName.ETAG, "\"tag\""), 1);
        String expected = head(one, 1);
        head(one, 1);
        head(one, 1);
        fields.tableMax(0);
        assertThat(head(one, 1)).isEqualTo(expected);
        fields.tableMax(4096);
        for (int i = 0; i < 5; i++) {
            assertThat(head(one, 1)).isEqualTo(expected);
        }
    }

    @Test
    void trailersHaveNoForbiddenField() {
        Fields some = new Fields().add("X-Sum", "7").add(FieldName.SET_COOKIE, "a=1");
        fields.trailers(some);
        assertThat(read()).isEqualTo("x-sum=7|");
        assertThat(ResponseFields.hasTrailers(some)).isTrue();
        assertThat(ResponseFields.hasTrailers(Fields.of(FieldName.SET_COOKIE, "a=1"))).isFalse();
    }

    @Test
    void interimHasNoDate() {
        fields.interim(Status.EARLY_HINTS, Fields.of(FieldName.LINK, "</a>"));
        assertThat(read()).isEqualTo(":status=103|link=</a>|");
    }
}
