package dev.serval.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BodyTest {
    @Test
    void hasTheLengthOfItsBytes() {
        assertThat(Body.Empty.EMPTY.length()).isZero();
        Body.Bytes bytes = Body.Bytes.of(new byte[] {1, 2, 3});
        assertThat(bytes.length()).isEqualTo(3);
        bytes.buffer().position(1);
        assertThat(bytes.length()).isEqualTo(2);
        assertThat(bytes.released()).isNull();
    }

    @Test
    void refusesInvalidRegions(@TempDir Path folder) throws IOException {
        Path path = Files.createFile(folder.resolve("a"));
        try (FileChannel file = FileChannel.open(path)) {
            assertThat(new Body.FileRegion(file, 0, 5, null).length()).isEqualTo(5);
            assertThatThrownBy(() -> new Body.FileRegion(file, -1, 5, null))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> new Body.FileRegion(file, 0, -1, null))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
