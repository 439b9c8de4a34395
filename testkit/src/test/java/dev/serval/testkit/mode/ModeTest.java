package dev.serval.testkit.mode;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ModeTest {
    private static final InetSocketAddress ADDRESS = InetSocketAddress.createUnresolved("a", 1);

    @AfterEach
    void end() {
        Mode.begin(Mode.H1);
    }

    @Test
    void portOfAnEndedServerGoesToOneWithoutMode() {
        Mode.begin(Mode.H2);
        Mode.serves(ADDRESS);
        assertThat(Mode.at(ADDRESS)).isEqualTo(Mode.H2);
        Mode.servesWithout(ADDRESS);
        assertThat(Mode.at(ADDRESS)).isEqualTo(Mode.H1);
    }
}
