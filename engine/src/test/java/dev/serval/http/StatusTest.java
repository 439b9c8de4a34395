package dev.serval.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StatusTest {
    @Test
    void sharesRegisteredCodes() {
        assertThat(Status.of(404)).isSameAs(Status.NOT_FOUND).hasToString("404 Not Found");
        assertThat(Status.of(299)).isEqualTo(new Status(299, "")).hasToString("299");
        int registered = 0;
        for (int code = 100; code < 600; code++) {
            Status status = Status.of(code);
            assertThat(status.code()).isEqualTo(code);
            if (!status.reason().isEmpty()) {
                assertThat(Status.of(code)).isSameAs(status);
                registered++;
            }
        }
        assertThat(registered).isGreaterThan(40);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 99, 600, 1000})
    void refusesInvalidCodes(int code) {
        assertThatThrownBy(() -> Status.of(code)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nb", "\n", "\0", "\u007f", "\u0100"})
    void refusesReasonsThatCouldEndTheLine(String reason) {
        assertThatThrownBy(() -> new Status(200, reason))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void knowsWhichCodesHaveNoContent() {
        assertThat(Status.CONTINUE.withoutContent()).isTrue();
        assertThat(Status.NO_CONTENT.withoutContent()).isTrue();
        assertThat(Status.NOT_MODIFIED.withoutContent()).isTrue();
        assertThat(Status.OK.withoutContent()).isFalse();
        assertThat(Status.of(205).withoutContent()).isFalse();
    }

    @Test
    void knowsItsClass() {
        assertThat(Status.EARLY_HINTS.interim()).isTrue();
        assertThat(Status.OK.interim()).isFalse();
        assertThat(Status.BAD_REQUEST.error()).isTrue();
        assertThat(Status.NOT_MODIFIED.error()).isFalse();
    }
}
