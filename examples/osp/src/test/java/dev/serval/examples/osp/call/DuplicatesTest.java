package dev.serval.examples.osp.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class DuplicatesTest {
    @Test
    void repetitionGetsTheAnswerOfTheFirst() throws Exception {
        Duplicates duplicates = new Duplicates(100, 10_000);
        assertThat(duplicates.begin("a", 0)).isNull();
        var early = duplicates.begin("a", 0);
        assertThat(early).isNotNull().isNotDone();
        duplicates.complete("a", "answer", Long.MAX_VALUE);
        assertThat(early).isCompletedWithValue("answer");
        assertThat(duplicates.begin("a", 0)).isCompletedWithValue("answer");
        assertThat(duplicates.begin("b", 0)).isNull();
    }

    @Test
    void failureIsForgotten() {
        Duplicates duplicates = new Duplicates(100, 10_000);
        assertThat(duplicates.begin("a", 0)).isNull();
        var waiting = duplicates.begin("a", 0);
        duplicates.forget("a", "503");
        assertThat(waiting).isNotNull().isCompletedWithValue("503");
        assertThat(duplicates.begin("a", 0)).isNull();
        assertThat(duplicates.size()).isOne();
    }

    @Test
    void expiredAnswerIsNotGivenAgain() {
        Duplicates duplicates = new Duplicates(16, 1_000);
        assertThat(duplicates.begin("a", 0)).isNull();
        duplicates.complete("a", "answer", 5);
        assertThat(duplicates.begin("a", 5)).isCompletedWithValue("answer");
        for (int second = 6; second < 10_000; second++) {
            assertThat(duplicates.begin("a", second)).isNull();
            duplicates.complete("a", "answer", second);
        }
        assertThat(duplicates.size()).isOne();
    }

    @Test
    void numberIsBounded() {
        Duplicates duplicates = new Duplicates(160, 1_000_000);
        for (int i = 0; i < 10_000; i++) {
            assertThat(duplicates.begin("key" + i, 0)).isNull();
            duplicates.complete("key" + i, "answer", Long.MAX_VALUE);
            assertThat(duplicates.size()).isLessThanOrEqualTo(160);
        }
        assertThat(duplicates.begin("key9999", 0)).isNotNull();
        assertThat(duplicates.begin("key0", 0)).isNull();
    }

    @Test
    void memoryIsBounded() {
        Duplicates duplicates = new Duplicates(100_000, 160_000);
        for (int i = 0; i < 1_000; i++) {
            assertThat(duplicates.begin("key" + i, 0)).isNull();
            duplicates.complete("key" + i, "x".repeat(1_000), Long.MAX_VALUE);
        }
        assertThat(duplicates.size()).isBetween(16, 160);
    }

    @Test
    void answersOnTheirWayStay() {
        Duplicates duplicates = new Duplicates(16, 1_000);
        for (int i = 0; i < 100; i++) {
            assertThat(duplicates.begin("key" + i, 0)).isNull();
        }
        assertThat(duplicates.size()).isEqualTo(100);
        for (int i = 0; i < 100; i++) {
            assertThat(duplicates.begin("key" + i, 0)).isNotNull();
            duplicates.complete("key" + i, "answer", Long.MAX_VALUE);
        }
        assertThat(duplicates.size()).isLessThanOrEqualTo(32);
    }
}
