package dev.serval.http2;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SendOrderTest {
    private record Line(int streamNumber, int priority) implements SendOrder.Member {}

    private final SendOrder<Line> order = new SendOrder<>();

    private Line add(int number, int urgency, boolean incremental) {
        Line line = new Line(number, Priority.priority(urgency, incremental));
        order.add(line);
        return line;
    }

    /// Returns the numbers of the next turns. Each stream is added again after its turn.
    private List<Integer> turns(int count) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Line line = order.next();
            if (line != null) {
                numbers.add(line.streamNumber());
                order.add(line);
            }
        }
        return numbers;
    }

    private List<Integer> rest() {
        List<Integer> numbers = new ArrayList<>();
        for (Line line = order.next(); line != null; line = order.next()) {
            numbers.add(line.streamNumber());
        }
        assertThat(order.isEmpty()).isTrue();
        return numbers;
    }

    @Test
    void emptyOrderHasNoNext() {
        assertThat(order.isEmpty()).isTrue();
        assertThat(order.next()).isNull();
        add(1, 0, true);
        assertThat(order.isEmpty()).isFalse();
        assertThat(rest()).containsExactly(1);
    }

    @Test
    void moreUrgentStreamsGoFirst() {
        add(1, 7, false);
        add(3, 0, true);
        add(5, 3, true);
        add(7, 0, false);
        assertThat(rest()).containsExactly(7, 3, 5, 1);
    }

    @Test
    void streamsThatAreNotIncrementalGoOneAfterTheOther() {
        for (int number : new int[] {5, 1, 9, 3, 7}) {
            add(number, 3, false);
        }
        assertThat(turns(3)).containsExactly(1, 1, 1);
        assertThat(rest()).containsExactly(1, 3, 5, 7, 9);
    }

    @Test
    void incrementalStreamsTakeTurns() {
        add(3, 3, true);
        add(1, 3, true);
        assertThat(turns(4)).containsExactly(3, 1, 3, 1);
    }

    @Test
    void bothKindsOfStreamsAlternate() {
        add(1, 3, true);
        add(3, 3, true);
        add(5, 3, false);
        add(7, 3, false);
        assertThat(turns(6)).containsExactly(5, 1, 5, 3, 5, 1);
    }

    @Test
    void streamsCanBeTakenOut() {
        Line shared = add(1, 3, true);
        Line single = add(3, 3, false);
        assertThat(order.remove(shared)).isTrue();
        assertThat(order.remove(shared)).isFalse();
        assertThat(order.remove(single)).isTrue();
        assertThat(order.isEmpty()).isTrue();
        assertThat(order.remove(new Line(9, 5))).isFalse();
        add(5, 1, true);
        order.clear();
        assertThat(order.next()).isNull();
    }
}
