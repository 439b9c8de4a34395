package dev.serval.conformance.tck;

import dev.serval.Serval;
import dev.serval.policy.AddressRange;
import dev.serval.policy.TrustedProxies;
import dev.serval.testkit.process.Haproxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Serval behind a HAProxy, which takes the requests of the suite by HTTP/1.1 and passes them on by
/// HTTP/2, as the suite's clients speak HTTP/1.1 only. They read until the connection ends.
public final class ServalHttp2Server extends ServalServer {
    private static final String MODE =
            """
            http
                timeout client 5s
                option http-no-delay
                http-request set-header X-Forwarded-Proto http""";

    private @Nullable Haproxy proxy;

    /// Creates a server that has not started.
    public ServalHttp2Server() {}

    /// Trusts the HAProxy, which states `:scheme` https, but tells in a field what its clients use.
    @Override
    protected void prepare(Serval.Builder builder) {
        builder.trustedProxies(new TrustedProxies(List.of(AddressRange.of("127.0.0.1"))));
    }

    @Override
    public InetSocketAddress start() throws Exception {
        Haproxy started = new Haproxy(MODE, super.start().getPort(), "proto h2");
        proxy = started;
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), started.port());
    }

    @Override
    public void stop() throws Exception {
        @Nullable Haproxy running = proxy;
        if (running != null) {
            running.close();
        }
        super.stop();
    }
}
