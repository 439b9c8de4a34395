package dev.serval.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ProgressTest {
    private final AtomicLong nanos = new AtomicLong();
    private final Progress progress = new Progress(nanos::get);

    private void pass(int seconds) {
        nanos.addAndGet(seconds * 1_000_000_000L);
    }

    @Test
    void learnsFromTheCellsThatAreDone() {
        progress.add("a", 10);
        progress.add("b", 10);
        progress.add("c", 20);
        assertThat(progress.leftSeconds()).isEqualTo(40);
        progress.begin("a");
        pass(4);
        assertThat(progress.leftSeconds()).isEqualTo(36);
        pass(16);
        assertThat(progress.leftSeconds()).as("longer than its estimate").isEqualTo(30);
        assertThat(progress.end(true)).isEqualTo(20);
        assertThat(progress.leftSeconds()).as("twice the estimates").isEqualTo(60);
        assertThat(progress.correctedSeconds(5)).isEqualTo(10);
    }

    @Test
    void cellThatIsNotMeasuredTeachesNothing() {
        progress.add("a", 10);
        progress.add("b", 10);
        progress.begin("a");
        progress.end(false);
        assertThat(progress.leftSeconds()).isEqualTo(10);
        progress.drop("b");
        assertThat(progress.leftSeconds()).isZero();
    }

    @Test
    void cellsOfAnEarlierRunTeachTheirTime() {
        progress.add("a", 10);
        progress.add("b", 10);
        progress.took("a", 5);
        progress.took("of another choice", 1000);
        assertThat(progress.leftSeconds()).isEqualTo(5);
    }

    @Test
    void lineHasShareCellsAndTimeLeft() {
        progress.add("a", 10);
        progress.add("b", 30);
        progress.begin("a");
        pass(10);
        progress.end(true);
        progress.begin("b");
        assertThat(progress.line(false)).isEqualTo(" 25 %, 1 of 2 cells, about 30 seconds left: b");
        assertThat(progress.line(true))
                .isEqualTo(
                        "[######------------------]  25 %, 1 of 2 cells, about 30 seconds left: b");
    }

    @Test
    void runIsNotDoneBeforeItsLastCell() {
        progress.add("a", 10);
        progress.begin("a");
        pass(3000);
        assertThat(progress.line(false)).startsWith(" 99 %, 0 of 1 cells, about 0 seconds left: a");
        progress.end(true);
        assertThat(progress.line(false)).isEqualTo("100 %, 1 of 1 cells, about 0 seconds left");
    }

    @Test
    void barFitsInANarrowTerminal() {
        progress.add("a cell with a name as long as a sentence", 10);
        progress.begin("a cell with a name as long as a sentence");
        assertThat(progress.line(true)).hasSize(79);
        assertThat(progress.line(false)).endsWith("as long as a sentence");
    }

    @Test
    void lengthIsWrittenForPeople() {
        assertThat(Progress.text(89)).isEqualTo("about 89 seconds");
        assertThat(Progress.text(90)).isEqualTo("about 2 minutes");
        assertThat(Progress.text(14 * 60)).isEqualTo("about 14 minutes");
        assertThat(Progress.text(2.5 * 3600)).isEqualTo("about 2.5 hours");
    }
}
