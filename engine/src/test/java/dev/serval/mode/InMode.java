package dev.serval.mode;

import dev.serval.ListenerSpec;
import dev.serval.Serval;
import dev.serval.testkit.TestKeys;
import dev.serval.testkit.mode.Mode;
import dev.serval.tls.JdkTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// Starts servers in the [Mode] of the test that runs.
public final class InMode {
    private InMode() {}

    /// Returns a listener on a free port, with TLS if the mode has it.
    public static ListenerSpec listener() {
        ListenerSpec spec =
                new ListenerSpec(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        if (!Mode.current().isTls()) {
            return spec;
        }
        TestKeys keys = TestKeys.local();
        try {
            return spec.withTls(JdkTls.of(keys.certificate(), keys.key()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Starts a server whose first listener is [#listener]. Clients connect to it in the mode.
    public static Serval start(Serval.Builder builder) throws IOException {
        Serval server = startPlain(builder);
        Mode.serves(server.addresses().getFirst());
        return server;
    }

    /// Starts a server beside it, with listeners of its own. Clients connect to them without a mode.
    public static Serval startPlain(Serval.Builder builder) throws IOException {
        Serval server = builder.start();
        server.addresses().forEach(Mode::servesWithout);
        return server;
    }
}
