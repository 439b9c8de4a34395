package dev.serval.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The parser of the tests must refuse what is wrong, or they would prove nothing.
final class StrictParserTest {
    private static final String PLAIN = "text/plain; version=0.0.4";
    private static final String OPEN = "application/openmetrics-text; version=1.0.0";

    @Test
    void acceptsWhatTheSpecificationsShow() {
        Map<String, StrictParser.Family> plain =
                StrictParser.parse(
                        PLAIN,
                        """
                        # HELP http_requests_total The total number of HTTP requests.
                        # TYPE http_requests_total counter
                        http_requests_total{method="post",code="200"} 1027
                        http_requests_total{method="post",code="400"} 3
                        # HELP paths Escaping \\\\ and \\n in labels
                        # TYPE paths untyped
                        paths{path="C:\\\\DIR\\\\FILE.TXT",error="Cannot find:\\n\\"F\\""} 1.458255915e9
                        """);
        assertThat(StrictParser.family(plain, "paths").samples().getFirst().labels())
                .containsEntry("error", "Cannot find:\n\"F\"");
        assertThat(
                        StrictParser.parse(
                                OPEN,
                                """
                                # TYPE acme_http_router_request_seconds summary
                                # UNIT acme_http_router_request_seconds seconds
                                # HELP acme_http_router_request_seconds Latency.
                                acme_http_router_request_seconds_sum{path="/a"} 9036.32
                                acme_http_router_request_seconds_count{path="/a"} 807283.0
                                # TYPE go_goroutines gauge
                                go_goroutines 69
                                # TYPE foo counter
                                foo_total 17.0
                                # EOF
                                """))
                .hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "# TYPE a gauge\na 1",
                "# TYPE a gauge\na{b=1} 1\n",
                "# TYPE a gauge\na{b=\"\\x\"} 1\n",
                "# TYPE a gauge\na 1\na 2\n",
                "# TYPE a gauge\na 1\n# TYPE b gauge\nb 1\na{c=\"d\"} 1\n",
                "# TYPE a gauge\na 1\n# TYPE b gauge\nb 1\n# TYPE a gauge\na{c=\"d\"} 1\n",
                "# TYPE a thing\na 1\n",
                "# TYPE a gauge\na one\n",
                "# TYPE a gauge\na{1b=\"\"} 1\n",
                "# TYPE a histogram\na_bucket{le=\"1.0\"} 1\na_sum 1\na_count 1\n",
                "# TYPE a histogram\na_bucket{le=\"1.0\"} 2\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 1\n",
                "# TYPE a histogram\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 2\n",
                "# TYPE a counter\na -1\n",
                "# HELP a x\n# HELP a y\n# TYPE a gauge\na 1\n",
                "a 1\n"
            })
    void refusesWhatIsWrong(String text) {
        assertThatThrownBy(() -> StrictParser.parse(PLAIN, text))
                .isInstanceOf(AssertionError.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "# TYPE a gauge\na 1\n",
                "# TYPE a gauge\na 1\n# EOF\nb 1\n",
                "# TYPE a counter\na 1\n# EOF\n",
                "# TYPE a gauge\n# UNIT a seconds\na 1\n# EOF\n",
                "# TYPE a gauge\n\na 1\n# EOF\n",
                "# TYPE a counter\na_total 1\n# TYPE a_total gauge\na_total 1\n# EOF\n",
                "# TYPE a histogram\na_bucket{le=\"1\"} 1\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 1\n# EOF\n"
            })
    void refusesWhatOpenMetricsForbids(String text) {
        assertThatThrownBy(() -> StrictParser.parse(OPEN, text)).isInstanceOf(AssertionError.class);
    }
}
