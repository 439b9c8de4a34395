package dev.serval.servlet.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.servlet.upgrade.UpgradeState.Step;
import org.junit.jupiter.api.Test;

/// The states of an upgraded connection (Servlet 6.1 §2.3.3.5).
final class UpgradeStateTest {
    private final UpgradeState state = new UpgradeState();

    private void assertReleased() {
        assertThat(state.next(false)).isEqualTo(Step.RELEASE);
        assertThat(state.due()).isFalse();
        assertThat(state.over()).isFalse();
        assertThat(state.opened()).isFalse();
        assertThatThrownBy(() -> state.next(false)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void threadInitializesAndLeaves() {
        assertThat(state.opened()).as("calls a thread").isTrue();
        assertThat(state.next(false)).isEqualTo(Step.INIT);
        assertThat(state.next(false)).isEqualTo(Step.LEAVE);
        assertThat(state.due()).isTrue();
        assertThat(state.next(true)).isEqualTo(Step.LISTENERS);
        assertThat(state.next(false)).isEqualTo(Step.LEAVE);
    }

    @Test
    void eventWhileAThreadIsInsideCallsNoOther() {
        boolean _ = state.opened();
        assertThat(state.due()).as("before init").isFalse();
        assertThat(state.next(true)).isEqualTo(Step.INIT);
        assertThat(state.due()).isFalse();
        assertThat(state.over()).isFalse();
        assertThat(state.isOver()).isTrue();
    }

    @Test
    void endWhileNoThreadIsInsideCallsOne() {
        boolean _ = state.opened();
        assertThat(state.next(false)).isEqualTo(Step.INIT);
        assertThat(state.next(false)).isEqualTo(Step.LEAVE);
        assertThat(state.over()).isTrue();
        assertThat(state.due()).isFalse();
        assertThat(state.next(true)).as("listeners get no event").isEqualTo(Step.DESTROY);
        assertReleased();
    }

    @Test
    void endWhileAThreadIsInsideIsItsNextStep() {
        boolean _ = state.opened();
        assertThat(state.next(false)).isEqualTo(Step.INIT);
        assertThat(state.over()).isFalse();
        assertThat(state.next(true)).isEqualTo(Step.DESTROY);
        assertReleased();
    }

    @Test
    void endBeforeInitReleasesWithoutDestroy() {
        boolean _ = state.opened();
        assertThat(state.over()).isFalse();
        assertReleased();
    }

    @Test
    void endBeforeTheOpeningGetsItsThreadFromTheOpening() {
        assertThat(state.over()).isFalse();
        assertThat(state.due()).isFalse();
        assertThat(state.opened()).isTrue();
        assertThat(state.opened()).as("a second time").isFalse();
        assertReleased();
    }
}
