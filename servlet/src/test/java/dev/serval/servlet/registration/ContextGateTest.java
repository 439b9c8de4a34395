package dev.serval.servlet.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The steps of the picture of ContextState.
final class ContextGateTest {
    private static final Map<ContextState, Set<ContextState>> STEPS =
            Map.of(
                    ContextState.STARTING, Set.of(ContextState.NOTIFYING, ContextState.STOPPED),
                    ContextState.NOTIFYING, Set.of(ContextState.RUNNING, ContextState.STOPPED),
                    ContextState.RUNNING, Set.of(ContextState.STOPPED),
                    ContextState.STOPPED, Set.of(ContextState.STOPPED));

    private static ContextGate at(ContextState state) {
        ContextGate gate = new ContextGate();
        for (ContextState step : List.of(ContextState.NOTIFYING, ContextState.RUNNING)) {
            if (step.compareTo(state) <= 0) {
                gate.moveTo(step);
            }
        }
        if (state == ContextState.STOPPED) {
            gate.moveTo(state);
        }
        return gate;
    }

    @ParameterizedTest
    @EnumSource
    void takesOnlyTheStepsOfThePicture(ContextState from) {
        for (ContextState to : ContextState.values()) {
            ContextGate gate = at(from);
            assertThat(gate.state()).isEqualTo(from);
            if (STEPS.getOrDefault(from, Set.of()).contains(to)) {
                gate.moveTo(to);
                assertThat(gate.state()).isEqualTo(to);
            } else {
                assertThatThrownBy(() -> gate.moveTo(to)).isInstanceOf(IllegalStateException.class);
                assertThat(gate.state()).isEqualTo(from);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void configuresBeforeRunning(ContextState state) {
        ContextGate gate = at(state);
        if (state.compareTo(ContextState.RUNNING) < 0) {
            gate.requireConfigurable("addServlet");
            assertThat(state.isConfigurable()).isTrue();
        } else {
            assertThatThrownBy(() -> gate.requireConfigurable("addServlet"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("addServlet was called when");
        }
    }
}
