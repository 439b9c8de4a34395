package dev.serval.mode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.ListenerSpec;
import dev.serval.Serval;
import dev.serval.testkit.mode.EveryMode;
import dev.serval.testkit.mode.Mode;
import java.net.SocketAddress;
import org.junit.jupiter.api.Test;

@EveryMode
final class InModeTest {
    /// Otherwise a test's client would begin with TLS on a listener that has none.
    @Test
    void portOfAServerInTheModeGoesToOneWithout() throws Exception {
        SocketAddress address;
        try (Serval first = InMode.start(Serval.builder().listen(InMode.listener()))) {
            address = first.addresses().getFirst();
            assertThat(Mode.at(address)).isEqualTo(Mode.current());
        }
        try (Serval second =
                InMode.startPlain(Serval.builder().listen(new ListenerSpec(address)))) {
            assertThat(second.addresses()).containsExactly(address);
            assertThat(Mode.at(address)).isEqualTo(Mode.H1);
        }
    }
}
