package dev.serval.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.policy.LoadMode;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class HistoryTest {
    private static final Moment.State IDLE = new Moment.State(0, 0, LoadMode.LIGHT);

    private final History history = new History();

    @Test
    void beginsEmptyAndGrows() {
        assertThat(history.read()).isEmpty();
        history.add(moment(1));
        history.add(moment(2));
        assertThat(history.read()).containsExactly(moment(1), moment(2));
    }

    @Test
    void keepsTheLastMomentsInOrder() {
        IntStream.range(0, History.SIZE + 1).forEach(i -> history.add(moment(i)));
        assertThat(history.read().stream().map(Moment::epochMillis))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, History.SIZE).boxed().toList());
    }

    @Test
    void leavesOutWhatWasReplacedWhileItIsRead() {
        history.add(moment(5));
        history.add(moment(3)); // as a reader sees a new moment in the place of an old one
        assertThat(history.read()).containsExactly(moment(5));
    }

    @Test
    void rateIsThatOfTheRealTime() {
        assertThat(new Moment(0, 2, 10, 0, 0, 0, 0, IDLE).perSecond(10)).isEqualTo(5);
        assertThat(new Moment(0, 0, 10, 0, 0, 0, 0, IDLE).perSecond(10)).isZero();
    }

    private static Moment moment(long epochMillis) {
        return new Moment(epochMillis, 1, 0, 0, 0, 0, 0, IDLE);
    }
}
