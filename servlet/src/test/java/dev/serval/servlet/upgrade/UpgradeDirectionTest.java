package dev.serval.servlet.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// One direction of an upgraded connection (Servlet 6.1 §3.7, §5.7).
final class UpgradeDirectionTest {
    private final UpgradeDirection<String> direction = new UpgradeDirection<>("none");

    @Test
    void newListenerHasAnEvent() {
        assertThat(direction.take()).isFalse();
        direction.listen("listener");
        assertThat(direction.isDue()).isTrue();
        assertThat(direction.take()).isTrue();
        assertThat(direction.take()).as("again").isFalse();
        assertThat(direction.listener()).isEqualTo("listener");
    }

    @Test
    void armedDirectionWaitsForTheLoop() {
        direction.listen("listener");
        assertThat(direction.arm()).isTrue();
        assertThat(direction.isArmed()).isTrue();
        assertThat(direction.take()).as("an event from before").isFalse();
        direction.reported();
        assertThat(direction.isArmed()).isFalse();
        assertThat(direction.take()).isTrue();
    }

    @Test
    void endIsToldOnceAndNothingFollows() {
        direction.listen("listener");
        assertThat(direction.finish()).isTrue();
        assertThat(direction.finish()).isFalse();
        direction.reported();
        assertThat(direction.isDue()).isFalse();
        assertThat(direction.arm()).isFalse();
        assertThat(direction.listener()).as("learns of a loss").isEqualTo("listener");
    }

    @Test
    void forgottenListenerGetsNoEvent() {
        direction.listen("listener");
        direction.forget();
        assertThat(direction.isDue()).isFalse();
        assertThat(direction.listener()).isEqualTo("none");
    }
}
