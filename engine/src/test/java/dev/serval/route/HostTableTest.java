package dev.serval.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Looks names up among many hosts. [RouterTest] has the rules of requests.
final class HostTableTest {
    private static final int MANY = 3000;

    private static @Nullable String find(HostTable table, String name) {
        byte[] bytes = ("x" + name + "x").getBytes(StandardCharsets.US_ASCII);
        @Nullable VirtualHost host = table.find(bytes, 1, bytes.length - 1);
        return host == null ? null : new String(host.key(), StandardCharsets.US_ASCII);
    }

    private static HostTable table(List<String> patterns) {
        return new HostTable(
                patterns.stream().map(name -> new VirtualHost(name, List.of())).toList());
    }

    /// Half of the places are taken, so that many names share a place.
    @Test
    void findsEachOfManyHosts() {
        List<String> patterns = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            patterns.add("h" + i + ".example");
            patterns.add("*.h" + i + ".example");
            patterns.add("*.deep.h" + i + ".example");
        }
        HostTable table = table(patterns);
        for (int i = 0; i < MANY; i++) {
            String name = "h" + i + ".example";
            assertThat(find(table, name.toUpperCase(Locale.ROOT))).isEqualTo(name);
            assertThat(find(table, "a." + name)).isEqualTo("." + name);
            assertThat(find(table, "deep." + name)).isEqualTo("." + name);
            assertThat(find(table, "a.b.deep." + name)).isEqualTo(".deep." + name);
            assertThat(find(table, "a" + name)).isNull();
            assertThat(find(table, name + "a")).isNull();
        }
    }

    @Test
    void suffixIsNoName() {
        HostTable table = table(List.of("*.example"));
        assertThat(find(table, "a.example")).isEqualTo(".example");
        assertThat(find(table, ".example")).isNull();
        assertThat(find(table, "example")).isNull();
        assertThat(find(table, ".")).isNull();
        assertThat(find(table, "")).isNull();
    }
}
