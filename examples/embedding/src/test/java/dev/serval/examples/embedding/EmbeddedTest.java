package dev.serval.examples.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Serval;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedTest {
    @Test
    void servesFileOfItsFolder(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("hello.txt"), "Hello from inside");
        try (Serval serval = Embedded.serve(folder, 0)) {
            RawResponse answer = RawClient.get(serval.addresses().getFirst(), "/hello.txt");

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.text()).isEqualTo("Hello from inside");
        }
    }
}
