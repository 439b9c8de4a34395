package dev.serval.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class BarStreamTest {
    private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();

    @Test
    void barStaysBelowTheLines() throws IOException {
        try (BarStream stream = new BarStream(terminal, () -> "[##--]")) {
            stream.write("one\ntw".getBytes(StandardCharsets.UTF_8));
            stream.write("o\n".getBytes(StandardCharsets.UTF_8));
            assertThat(text()).isEqualTo("one\n[##--]\r\033[Ktwo\n[##--]");
            stream.write('x');
        }
        assertThat(text()).isEqualTo("one\n[##--]\r\033[Ktwo\n[##--]\r\033[Kx");
    }

    @Test
    void emptyBarIsNotCleared() throws IOException {
        try (BarStream stream = new BarStream(terminal, () -> "")) {
            stream.write("one\ntwo\n".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(text()).isEqualTo("one\ntwo\n");
    }

    private String text() {
        return terminal.toString(StandardCharsets.UTF_8);
    }
}
