package dev.serval.examples.osp.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CallRatesTest {
    private final RouteTable.CallLimit limit = new RouteTable.CallLimit("7", 2);
    private final CallRates rates = new CallRates();

    @Test
    void threadThatReadTheClockEarlierStartsNoNewSecond() {
        assertThat(rates.take(limit, 100)).isTrue();
        assertThat(rates.take(limit, 99)).isTrue();
        assertThat(rates.take(limit, 100)).isFalse();
        assertThat(rates.take(limit, 99)).isFalse();
        assertThat(rates.take(limit, 101)).isTrue();
    }

    @Test
    void clockThatWasSetBackDoesNotKeepCallersOut() {
        assertThat(rates.take(limit, 10_000)).isTrue();
        assertThat(rates.take(limit, 10_000)).isTrue();
        assertThat(rates.take(limit, 5_000)).isTrue();
    }
}
