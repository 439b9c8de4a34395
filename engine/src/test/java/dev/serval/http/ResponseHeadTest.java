package dev.serval.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    void refusesNegativeLengths() {
        assertThatThrownBy(() -> new ResponseHead(Status.OK, Fields.EMPTY, -2))
                .isInstanceOf(IllegalArgumentException.class);
        long unknown = ResponseHead.UNKNOWN_LENGTH;
        assertThat(new ResponseHead(Status.OK, Fields.EMPTY, unknown).contentLength())
                .isEqualTo(unknown);
    }
}
