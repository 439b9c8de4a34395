package dev.serval.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.policy.AddressRange;
import dev.serval.policy.Limits;
import dev.serval.policy.ProxyProtocol;
import dev.serval.tls.KeyFiles;
import dev.serval.tls.TlsProfile;
import dev.serval.tls.TlsSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ListenerChoiceTest {
    private static final SocketAddress ADDRESS =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 8081);
    private static final ListenerChoice PLAIN = new ListenerChoice(ADDRESS);

    private static ListenerChoice inherited(String name) {
        return new ListenerChoice(
                null, name, null, ListenerChoice.BACKLOG, null, null, 0, ListenerChoice.Hsts.NONE);
    }

    @Test
    void inheritedSocketsDifferByTheirNames() {
        assertThat(inherited("web").isAt(inherited("web"))).isTrue();
        assertThat(inherited("web").isAt(inherited("admin"))).isFalse();
        assertThat(inherited("web").isAt(PLAIN)).isFalse();
        assertThat(PLAIN.isAt(inherited("web"))).isFalse();
    }

    private static ListenerChoice with(
            @Nullable Limits limits, int backlog, @Nullable ProxyProtocol proxy, int httpsPort) {
        return new ListenerChoice(
                ADDRESS, null, limits, backlog, proxy, null, httpsPort, ListenerChoice.Hsts.NONE);
    }

    /// What a reload cannot change without another socket.
    @Test
    void socketStaysForOtherLimitsOnly() {
        ListenerChoice limited = with(Limits.DEFAULT, ListenerChoice.BACKLOG, null, 0);
        Limits others = Limits.DEFAULT.with(draft -> draft.head.fieldsMax = 7);
        assertThat(limited.isSameSocket(with(others, ListenerChoice.BACKLOG, null, 0))).isTrue();
        assertThat(limited.isSameSocket(PLAIN)).as("own limits").isFalse();
        assertThat(PLAIN.isSameSocket(limited)).as("own limits").isFalse();
        assertThat(PLAIN.isSameSocket(with(null, 7, null, 0))).as("backlog").isFalse();
        ProxyProtocol proxy = new ProxyProtocol(List.of(AddressRange.of("10.0.0.1")));
        assertThat(PLAIN.isSameSocket(with(null, ListenerChoice.BACKLOG, proxy, 0)))
                .as("PROXY header")
                .isFalse();
        TlsSettings tls =
                new TlsSettings(
                        List.of(new KeyFiles(Path.of("c.pem"), Path.of("k.pem"))),
                        TlsProfile.MODERN);
        ListenerChoice encrypted = new ListenerChoice(ADDRESS, tls);
        assertThat(PLAIN.isSameSocket(encrypted)).as("TLS").isFalse();
        assertThat(encrypted.text()).startsWith("https://");
        assertThat(PLAIN.isSameSocket(with(null, ListenerChoice.BACKLOG, null, 443)))
                .as("redirect")
                .isFalse();
        assertThat(encrypted.isSameSocket(encrypted.withHsts(new ListenerChoice.Hsts(1, false))))
                .as("Strict-Transport-Security")
                .isFalse();
    }
}
