package dev.serval.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.BindException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

final class DeadPortTest {
    @Test
    void refusesConnectionsAndListeners() {
        try (DeadPort dead = DeadPort.open()) {
            assertThatThrownBy(() -> new Socket(dead.address().getAddress(), dead.number()).close())
                    .isInstanceOf(ConnectException.class);
            assertThatThrownBy(() ->
                            new ServerSocket(dead.number(), 1, dead.address().getAddress()).close())
                    .isInstanceOf(BindException.class);
        }
    }
}
