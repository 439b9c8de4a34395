package dev.serval.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.examples.shop.store.Database;
import dev.serval.examples.shop.store.TestStore;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class ShopToolTest {
    @TempDir Path folder;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return ShopTool.run(
                List.of(arguments), new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void createsAndChecksADatabase() {
        String url = "jdbc:h2:file:" + folder.resolve("shop");
        assertThat(run("create", url, "20", "10", "1")).isZero();
        assertThat(printed()).contains("The database is complete.");
        assertThat(run("create", url, "20", "10", "1")).isZero();
        assertThat(printed()).contains("was complete already");
        assertThat(run("check", url)).isZero();
        assertThat(printed()).contains("Purchases, stock and payments agree.");
        try (Database database = Database.open(url, "", "", 1)) {
            database.change(connection ->
                    TestStore.update(connection, "UPDATE book SET stock = stock + 1 WHERE id = 4"));
        }
        assertThat(run("check", url)).isEqualTo(1);
        assertThat(printed()).contains("not those received: 4");
    }

    @Test
    void saysHowToCallIt() {
        assertThat(run("check")).isEqualTo(2);
        assertThat(printed()).startsWith("Use: create URL");
        assertThat(run("create", "jdbc:h2:mem:", "many", "10", "1")).isEqualTo(2);
        assertThat(run("create", "jdbc:h2:mem:", "9", "10", "1")).isEqualTo(2);
        assertThat(run("check", "jdbc:mysql://db/shop")).isEqualTo(2);
        assertThat(printed()).contains("\"many\"", "at least 10 books", "jdbc:postgresql:");
    }
}
