package dev.serval.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.serval.conn.MemoryServer;
import dev.serval.rule.AddressRules.Rule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AddressRulesTest {
    @ParameterizedTest
    @CsvSource({
        "+10.0.0.0/8, 10.1.2.3, 200",
        "+10.0.0.0/8, 11.1.2.3, 403",
        "-10.0.0.0/8, 10.1.2.3, 403",
        "-10.0.0.0/8, 11.1.2.3, 200",
        "-10.0.0.5 +10.0.0.0/8, 10.0.0.5, 403",
        "-10.0.0.5 +10.0.0.0/8, 10.0.0.6, 200",
        "+10.0.0.5 -10.0.0.0/8 +all, 10.0.0.5, 200",
        "+10.0.0.5 -10.0.0.0/8 +all, 10.0.0.6, 403",
        "+10.0.0.5 -10.0.0.0/8 +all, 192.0.2.1, 200",
        "-all, 10.0.0.1, 403",
        "+fd00::/8, fd00::1, 200",
        "+fd00::/8, fe00::1, 403",
        "+10.0.0.0/8, ::ffff:10.0.0.1, 200"
    })
    void theFirstRuleDecides(String rules, String address, String status) {
        List<Rule> all =
                Stream.of(rules.split(" ", -1))
                        .map(one ->
                                one.startsWith("+")
                                        ? Rule.allow(one.substring(1))
                                        : Rule.deny(one.substring(1)))
                        .toList();
        try (MemoryServer server = Rules.at("/", new AddressRules(all), Rules.says("in"))) {
            String answer =
                    server.ask(server.connect(address), "PROPFIND / HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
        }
    }

    @Test
    void refusesWhatIsNoRange() {
        assertThatIllegalArgumentException().isThrownBy(() -> Rule.allow("10.0.0.0/33"));
        assertThatIllegalArgumentException().isThrownBy(() -> Rule.deny("example.org"));
    }
}
