package dev.serval.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class WorkTest {
    @Test
    void moreWorkCalculatesMore() {
        long none = new Work(0).calculate();
        assertThat(new Work(1).calculate()).isNotZero().isNotEqualTo(none);
        assertThat(new Work(2).calculate()).isNotEqualTo(new Work(1).calculate());
        assertThat(new Work(2).calculate()).isEqualTo(new Work(2).calculate());
    }
}
