package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.policy.ProxyProtocol;
import dev.serval.testkit.Digests;
import dev.serval.testkit.TempTree;
import dev.serval.testkit.TestKeys;
import dev.serval.testkit.process.Haproxy;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A server with TLS behind a balancer that does not decrypt, and states the client's address by a
/// PROXY header.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ProxyHeaderInteropTest {
    private static final String CLIENT = "127.0.0.9"; // not the address of the balancer

    private final TempTree tree = TempTree.create();
    private final TempTree scratch = TempTree.create();
    private final Path large = tree.file("large.bin", 3_000_000);
    private final Served server =
            Served.bare(b ->
                    b.listen(Served.tls().withProxyProtocol(ProxyProtocol.REQUIRED))
                            .files("/", tree.root())
                            .get("/client", x -> x.text(x.connection().peer().toString())));

    @AfterAll
    void stop() {
        server.close();
        tree.close();
        scratch.close();
    }

    @ParameterizedTest
    @CsvSource({
        "send-proxy, 1.1",
        "send-proxy-v2, 1.1",
        "send-proxy-v2, 2",
        "send-proxy-v2 proxy-v2-options crc32c, 2",
    })
    void balancerThatPassesTlsOnStatesTheClient(String header, String http) {
        try (Haproxy balancer = new Haproxy("tcp", server.port(), header)) {
            String url = "https://localhost:" + balancer.port();
            Programs.Run who = curl(http, "-w", " %{http_version} %{local_port}", url + "/client");
            assertThat(who.out()).matches("/127\\.0\\.0\\.9:(\\d+) " + http + " \\1");
            Path into = scratch.path("got");
            assertThat(curl(http, "-o", into.toString(), url + "/large.bin").exit()).isZero();
            assertThat(Digests.sha256(into)).isEqualTo(Digests.sha256(large));
        }
    }

    private static Programs.Run curl(String http, String... arguments) {
        String[] all = new String[arguments.length + 6];
        String authority = TestKeys.local().certificate().toString();
        String[] first = {"--http" + http, "--cacert", authority, "--interface", CLIENT, "-4"};
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(arguments, 0, all, first.length, arguments.length);
        return Programs.curl(all);
    }
}
