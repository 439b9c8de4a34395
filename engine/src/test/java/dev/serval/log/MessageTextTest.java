package dev.serval.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MessageTextTest {
    /// An exception of an application.
    private static final class Unspeakable extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new AssertionError("no text");
        }
    }

    /// Otherwise a fault of an application would end what logs it, half way.
    @Test
    void exceptionThatCannotBeShownIsNamed() {
        StringBuilder text = new StringBuilder();
        MessageText.addTrace(text, new IllegalStateException("outer", new Unspeakable()));
        assertThat(text)
                .startsWith("java.lang.IllegalStateException: outer\n")
                .endsWith("its methods throw java.lang.AssertionError]\n");
    }
}
