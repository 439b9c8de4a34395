package dev.serval.examples.osp.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class DuplicatesTest {
    @Test
    void repetitionGetsTheAnswerOfTheFirst() throws Exception {
        Duplicates duplicates = new Duplicates(100, 10_000);
        assertThat(duplicates.begin("a")).isNull();
        var early = duplicates.begin("a");
        assertThat(early).isNotNull().isNotDone();
        duplicates.complete("a", "answer");
        assertThat(early).isCompletedWithValue("answer");
        assertThat(duplicates.begin("a")).isCompletedWithValue("answer");
        assertThat(duplicates.begin("b")).isNull();
    }

    @Test
    void failureIsForgotten() {
        Duplicates duplicates = new Duplicates(100, 10_000);
        assertThat(duplicates.begin("a")).isNull();
        var waiting = duplicates.begin("a");
        duplicates.forget("a", "503");
        assertThat(waiting).isNotNull().isCompletedWithValue("503");
        assertThat(duplicates.begin("a")).isNull();
        assertThat(duplicates.size()).isOne();
    }

    @Test
    void numberIsBounded() {
        Duplicates duplicates = new Duplicates(160, 1_000_000);
        for (int i = 0; i < 10_000; i++) {
            assertThat(duplicates.begin("key" + i)).isNull();
            duplicates.complete("key" + i, "answer");
            assertThat(duplicates.size()).isLessThanOrEqualTo(160);
        }
        assertThat(duplicates.begin("key9999")).isNotNull();
        assertThat(duplicates.begin("key0")).isNull();
    }

    @Test
    void memoryIsBounded() {
        Duplicates duplicates = new Duplicates(100_000, 160_000);
        for (int i = 0; i < 1_000; i++) {
            assertThat(duplicates.begin("key" + i)).isNull();
            duplicates.complete("key" + i, "x".repeat(1_000));
        }
        assertThat(duplicates.size()).isBetween(16, 160);
    }

    @Test
    void answersOnTheirWayStay() {
        Duplicates duplicates = new Duplicates(16, 1_000);
        for (int i = 0; i < 100; i++) {
            assertThat(duplicates.begin("key" + i)).isNull();
        }
        assertThat(duplicates.size()).isEqualTo(100);
        for (int i = 0; i < 100; i++) {
            assertThat(duplicates.begin("key" + i)).isNotNull();
            duplicates.complete("key" + i, "answer");
        }
        assertThat(duplicates.size()).isLessThanOrEqualTo(32);
    }
}
