package dev.serval.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.ListenerSpec;
import dev.serval.http.FieldChanges;
import dev.serval.site.Listening;
import dev.serval.testkit.TestKeys;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Redirects to https and Strict-Transport-Security of a configuration that does not name them.
final class HttpsDefaultsTest {
    private static final TestKeys AUTHORITY =
            TestKeys.make("EC", "dns:ca.test", "-ext", "bc:c", "-dname", "CN=authority");
    private static final TestKeys SIGNED =
            TestKeys.signedBy(AUTHORITY, "EC", "dns:example.org,dns:*.example.net");
    private static final long MONTH = 30L * 24 * 3600;
    private static final String PROXIED = "proxy-protocol = true\nproxy-protocol-from = '10.0.0.1'";

    @TempDir private Path folder;

    private List<ListenerChoice> listeners(TestKeys keys, String plain, String tls, String more)
            throws IOException {
        return new WrittenFile(folder).right(text(keys, plain, tls, more)).engine().listeners();
    }

    private static String text(TestKeys keys, String plain, String tls, String more) {
        return """
        [[listener]]
        address = "0.0.0.0:8080"
        %s
        [[listener]]
        address = "0.0.0.0:8443"
        tls.certificate = "%s"
        tls.key = "%s"
        %s
        %s
        """
                .formatted(plain, keys.certificate(), keys.key(), tls, more);
    }

    /// As [#listeners], with TLS at the usual port of https.
    private List<ListenerChoice> usual(TestKeys keys, String plain, String tls, String more)
            throws IOException {
        String text = text(keys, plain, tls, more).replace("0.0.0.0:8443", "0.0.0.0:443");
        return new WrittenFile(folder).right(text).engine().listeners();
    }

    /// Returns for how many seconds answers of each listener have browsers use only https.
    private static List<Long> told(List<ListenerChoice> listeners) {
        return listeners.stream()
                .map(each -> each.hsts().secondsAt(Objects.requireNonNull(each.address())))
                .toList();
    }

    @Test
    void browsersAreSentToHttpsIfTheHostHasACertificate() throws IOException {
        List<ListenerChoice> both = listeners(SIGNED, "", "", "");
        assertThat(both).extracting(ListenerChoice::httpsPort).containsExactly(8443, 0);
        assertThat(new WrittenFile(folder).notes(text(SIGNED, "", "", "")))
                .anyMatch(note -> note.contains("https-redirect = 0 has it serve them"));
    }

    /// A browser asks for the port of the address that its user has typed, or for 443 (RFC 6797 §8.3).
    @Test
    void answersOfAnotherPortThan443TellBrowsersNothing() throws IOException {
        assertThat(told(usual(SIGNED, "", "", ""))).containsExactly(0L, MONTH);
        assertThat(told(listeners(SIGNED, "", "", ""))).containsExactly(0L, 0L);
    }

    @Test
    void redirectToPort443SaysThatClientsReachIt() throws IOException {
        String redirect = "https-redirect = 443";
        assertThat(told(listeners(SIGNED, redirect, "", ""))).containsExactly(0L, MONTH);
        assertThat(told(listeners(SIGNED, redirect, PROXIED, ""))).containsExactly(0L, MONTH);
        assertThat(told(listeners(TestKeys.local(), redirect, "", ""))).containsExactly(0L, 0L);
        assertThat(told(listeners(SIGNED, "https-redirect = 8443", "", "")))
                .containsExactly(0L, 0L);
    }

    @Test
    void portOfAProxyIsNotKnown() throws IOException {
        assertThat(told(usual(SIGNED, "", PROXIED, ""))).containsExactly(0L, 0L);
        String trusted =
                "server.trusted-proxies = '10.0.0.1'\n"
                        + text(SIGNED, "", "", "").replace("0.0.0.0:8443", "0.0.0.0:443");
        assertThat(told(new WrittenFile(folder).right(trusted).engine().listeners()))
                .containsExactly(0L, 0L);
    }

    /// Its port is known after the start.
    @Test
    void inheritedSocketTellsBrowsersIfItIsAtPort443() throws IOException {
        String text = text(SIGNED, "", "", "").replace("0.0.0.0:8443", "inherited:web");
        ListenerChoice.Hsts hsts =
                new WrittenFile(folder).right(text).engine().listeners().getLast().hsts();
        assertThat(hsts.secondsAt(new InetSocketAddress(443))).isEqualTo(MONTH);
        assertThat(hsts.secondsAt(new InetSocketAddress(8443))).isZero();
        assertThat(hsts.secondsAt(UnixDomainSocketAddress.of("web"))).isZero();
    }

    @Test
    void nothingHoldsForACertificateThatHasSignedItself() throws IOException {
        List<ListenerChoice> both = usual(TestKeys.local(), "", "", "");
        assertThat(both).extracting(ListenerChoice::httpsPort).containsExactly(0, 0);
        assertThat(told(both)).containsExactly(0L, 0L);
    }

    @Test
    void configurationDecides() throws IOException {
        List<ListenerChoice> off = usual(SIGNED, "https-redirect = 0", "tls.hsts = 0", "");
        assertThat(off).extracting(ListenerChoice::httpsPort).containsExactly(0, 0);
        assertThat(told(off)).containsExactly(0L, 0L);
        List<ListenerChoice> own =
                listeners(TestKeys.local(), "https-redirect = 8444", "tls.hsts = '1h'", "");
        assertThat(own).extracting(ListenerChoice::httpsPort).containsExactly(8444, 0);
        assertThat(told(own)).containsExactly(0L, 3600L);
    }

    /// The field has no other unit (RFC 6797 §6.1.1), and 0 would mean the opposite.
    @ParameterizedTest
    @ValueSource(strings = {"500ms", "1500ms"})
    void timeForBrowsersIsInWholeSeconds(String time) throws IOException {
        assertThat(new WrittenFile(folder).wrong(text(SIGNED, "", "tls.hsts = '" + time + "'", "")))
                .singleElement()
                .asString()
                .contains("hsts takes a time such as 30s");
    }

    @ParameterizedTest
    @CsvSource({
        "example.org, 8443",
        "EXAMPLE.org, 8443",
        "a.example.net, 8443",
        "*.example.net, 8443",
        "a.b.example.net, 0",
        "other.test, 0",
    })
    void everyHostNeedsACertificate(String name, int port) throws IOException {
        String host = "[[host]]\nname = '" + name + "'\n[[host.mount]]\nfolder = '.'\n";
        assertThat(listeners(SIGNED, "", "", host).getFirst().httpsPort()).isEqualTo(port);
    }

    /// These addresses are for documents, so no machine has them.
    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1, 8443",
        "192.0.2.1, 192.0.2.2, 0",
        "192.0.2.1, 0.0.0.0, 8443",
        "0.0.0.0, 192.0.2.1, 8443",
    })
    void redirectLeadsToTheSameAddress(String plain, String tls, int port) throws IOException {
        String text =
                text(SIGNED, "", "", "")
                        .replace("0.0.0.0:8080", plain + ":8080")
                        .replace("0.0.0.0:8443", tls + ":8443");
        assertThat(new WrittenFile(folder).right(text).engine().listeners().getFirst().httpsPort())
                .isEqualTo(port);
    }

    @Test
    void requestsOfProxiesAreServed() throws IOException {
        assertThat(listeners(SIGNED, PROXIED, "", "").getFirst().httpsPort()).isZero();
        String trusted = "server.trusted-proxies = '10.0.0.1'\n" + text(SIGNED, "", "", "");
        assertThat(new WrittenFile(folder).right(trusted).engine().listeners())
                .extracting(ListenerChoice::httpsPort)
                .containsExactly(0, 0);
    }

    /// Clients reach a balancer in front of it at another port.
    @Test
    void listenerBehindABalancerIsNoTarget() throws IOException {
        assertThat(listeners(SIGNED, "", PROXIED, ""))
                .extracting(ListenerChoice::httpsPort)
                .containsExactly(0, 0);
    }

    @Test
    void listenerOfThisMachineIsNotRedirected() throws IOException {
        String text = text(SIGNED, "", "", "").replace("0.0.0.0:8080", "127.0.0.1:8080");
        assertThat(new WrittenFile(folder).right(text).engine().listeners().getFirst().httpsPort())
                .isZero();
        String local = text(SIGNED, "", "", "").replace("0.0.0.0:8443", "127.0.0.1:8443");
        assertThat(new WrittenFile(folder).right(local).engine().listeners().getFirst().httpsPort())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({"tls = \"auto\", 443", "'', 0"})
    void automaticCertificatesAreThoseOfAnAuthority(String other, int port) throws IOException {
        String text =
                """
                acme.terms-agreed = true
                [[listener]]
                address = "0.0.0.0:8080"
                [[listener]]
                address = "0.0.0.0:443"
                tls.certificate = "auto"
                [[host]]
                name = "A.test"
                tls = "auto"
                [[host.mount]]
                folder = "."
                [[host]]
                name = "b.test"
                %s
                [[host.mount]]
                folder = "."
                """
                        .formatted(other);
        List<ListenerChoice> both = new WrittenFile(folder).right(text).engine().listeners();
        assertThat(both).extracting(ListenerChoice::httpsPort).containsExactly(port, 0);
        assertThat(told(both)).containsExactly(0L, MONTH);
    }

    @Test
    void onlyAnswersByTlsTellBrowsers() throws IOException {
        List<ListenerChoice> both = usual(SIGNED, "", "", "");
        Listening listening = new Listening(List.of());
        ListenerSpec plain = listening.spec(both.getFirst());
        assertThat(plain.fields().changes()).isEmpty();
        assertThat(listening.spec(both.getLast()).fields().changes())
                .containsExactly(
                        FieldChanges.Change.addIfAbsent(
                                        "Strict-Transport-Security", "max-age=" + MONTH)
                                .toAll());
    }
}
