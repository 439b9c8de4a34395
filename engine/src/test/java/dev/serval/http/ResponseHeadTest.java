package dev.serval.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ResponseHeadTest {
    @Test
    void refusesFieldsThatBelongToTheConnection() {
        for (FieldName name :
                new FieldName[] {FieldName.CONTENT_LENGTH, FieldName.TRANSFER_ENCODING}) {
            assertThatThrownBy(() -> new ResponseHead(Status.OK, Fields.of(name, "1"), 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(name.text());
        }
    }

    @Test
    void freezesItsFields() {
        Fields fields = Fields.of(FieldName.VIA, "a");
        ResponseHead head = new ResponseHead(Status.OK, fields, 0);
        List<Runnable> changes =
                List.of(
                        () -> fields.add("X", "y"),
                        () -> fields.set(FieldName.VIA, "b"),
                        () -> fields.remove(FieldName.VIA),
                        () -> head.withContentLength(1).fields().add("X", "y"));
        for (Runnable change : changes) {
            assertThatThrownBy(change::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("set them before you make the head");
        }
        assertThat(head.fields().toString()).isEqualTo("Via: a\n");
    }

    @Test
    void refusedFieldsStayOpen() {
        Fields fields = Fields.of(FieldName.CONTENT_LENGTH, "1");
        assertThatThrownBy(() -> new ResponseHead(Status.OK, fields, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(fields.remove(FieldName.CONTENT_LENGTH).size()).isZero();
    }

    @Test
    void refusesNegativeLengths() {
        assertThatThrownBy(() -> new ResponseHead(Status.OK, Fields.EMPTY, -2))
                .isInstanceOf(IllegalArgumentException.class);
        long unknown = ResponseHead.UNKNOWN_LENGTH;
        assertThat(new ResponseHead(Status.OK, Fields.EMPTY, unknown).contentLength())
                .isEqualTo(unknown);
    }

    @Test
    void keepsOneWireFormForEachCodec() {
        WireFormat first = new WireFormat("first");
        WireFormat second = new WireFormat("second");
        ResponseHead head = new ResponseHead(Status.OK, Fields.EMPTY, 0);
        assertThat(head.wireForm(first)).isNull();
        head.keepWireForm(first, new byte[] {1});
        assertThat(head.wireForm(second)).isNull();
        head.keepWireForm(second, new byte[] {2});
        head.keepWireForm(first, new byte[] {3});
        assertThat(head.wireForm(first)).containsExactly(3);
        assertThat(head.wireForm(second)).containsExactly(2);
    }
}
