package dev.serval.examples.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Serval;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedTest {
    @Test
    void servesAFileOfItsFolder(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("hello.txt"), "Hello from inside");
        try (Serval serval = Embedded.serve(folder, 0);
                HttpClient client = HttpClient.newHttpClient()) {
            var address = (InetSocketAddress) serval.addresses().getFirst();
            URI file = URI.create("http://127.0.0.1:" + address.getPort() + "/hello.txt");

            HttpResponse<String> answer =
                    client.send(
                            HttpRequest.newBuilder(file).build(),
                            HttpResponse.BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("Hello from inside");
        }
    }
}
