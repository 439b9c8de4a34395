package dev.serval.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.conn.MemoryServer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DeniedPathsTest {
    private final MemoryServer server =
            Rules.at(
                    "/app",
                    DeniedPaths.of(List.of("*.inc", "/data/**", ".git")),
                    Rules.says("app"));

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/app/a.inc",
                "/app/a.%69nc",
                "/app/a.inc%2E",
                "/app/a.inc%20",
                "/app/a.INC/more",
                "/app/data",
                "/app/data/x",
                "/app/d%61ta/x",
                "/app/x/../data/x",
                "/app//data//x",
                "/app/./data/x.php/y",
                "/app/.git/config",
                "/app/data;x=1/y"
            })
    void answersAsIfThereWasNothing(String target) {
        for (String method : List.of("GET", "HEAD", "POST", "PROPFIND", "TRACE")) {
            assertThat(Rules.status(server, method + " " + target)).as(method).isEqualTo("404");
        }
        assertThat(Rules.content(server, "GET " + target))
                .contains("There is nothing at this address.")
                .doesNotContain("data");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/app", "/app/", "/app/a.txt", "/app/x/data/y", "/app/databases"})
    void passesTheRestOn(String target) {
        assertThat(Rules.content(server, "GET " + target)).isEqualTo("app " + target);
    }

    @Test
    void leavesOtherMethodsToTheNextHandler() {
        assertThat(Rules.content(server, "PROPFIND /app/x")).isEqualTo("app /app/x");
        assertThat(Rules.status(server, "TRACE /app/x")).isEqualTo("405");
    }
}
