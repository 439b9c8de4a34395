package dev.serval.servlet.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class FailureTableTest {
    private static final long EXPIRY = TimeUnit.MINUTES.toNanos(10);

    private final FailureTable table = new FailureTable(100, EXPIRY);

    private long delayMillis(String name, String address, long now) {
        FailureTable.@Nullable Pass pass = table.enter(name, address, now);
        assertThat(pass).isNotNull();
        if (pass == null) {
            return -1;
        }
        table.leave(pass);
        return TimeUnit.NANOSECONDS.toMillis(pass.delayNanos());
    }

    @Test
    void delayGrowsWithEachFailureOfAName() {
        List<Long> delays = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            delays.add(delayMillis("ada", "192.0.2." + i, 0));
            table.failed("ada", "192.0.2." + i, 0);
        }
        assertThat(delays).containsExactly(0L, 0L, 0L, 100L, 200L, 400L, 800L, 1600L, 2000L, 2000L);
        assertThat(delayMillis("bob", "192.0.2.99", 0)).isZero();
    }

    @Test
    void delayGrowsWithTheFailuresOfAnAddress() {
        for (int i = 0; i < 19; i++) {
            table.failed("user" + i, "192.0.2.1", 0);
        }
        assertThat(delayMillis("new", "192.0.2.1", 0)).isZero();
        table.failed("user19", "192.0.2.1", 0);
        assertThat(delayMillis("new", "192.0.2.1", 0)).isEqualTo(100);
        for (int i = 20; i < 40; i++) {
            table.failed("user" + i, "192.0.2.1", 0);
        }
        assertThat(delayMillis("new", "192.0.2.1", 0)).isEqualTo(1000);
        assertThat(delayMillis("new", "192.0.2.2", 0)).isZero();
    }

    @Test
    void rightPasswordForgivesTheNameButNotTheAddress() {
        for (int i = 0; i < 30; i++) {
            table.failed("ada", "192.0.2.1", 0);
        }
        table.succeeded("ada");
        assertThat(delayMillis("ada", "192.0.2.2", 0)).isZero();
        assertThat(delayMillis("ada", "192.0.2.1", 0)).isEqualTo(1000);
    }

    @Test
    void failuresExpire() {
        for (int i = 0; i < 5; i++) {
            table.failed("ada", "192.0.2.1", 0);
        }
        assertThat(delayMillis("ada", "192.0.2.2", EXPIRY)).isPositive();
        assertThat(delayMillis("ada", "192.0.2.2", EXPIRY + 1)).isZero();
    }

    /// Those who guess keep few threads.
    @Test
    void fewChecksWaitForOneName() {
        for (int i = 0; i < 5; i++) {
            table.failed("ada", "192.0.2." + i, 0);
        }
        List<FailureTable.Pass> passes = new ArrayList<>();
        for (int i = 0; i < FailureTable.WAITING_OF_NAME; i++) {
            FailureTable.@Nullable Pass pass = table.enter("ada", "198.51.100." + i, 0);
            if (pass != null) {
                passes.add(pass);
            }
        }
        assertThat(passes).hasSize(FailureTable.WAITING_OF_NAME);
        assertThat(table.enter("ada", "198.51.100.99", 0)).isNull();
        assertThat(table.enter("bob", "198.51.100.99", 0)).isNotNull();
        table.leave(passes.getFirst());
        assertThat(table.enter("ada", "198.51.100.99", 0)).isNotNull();
    }

    /// A check that waited for its address gives back no place of its name.
    @Test
    void placesAreGivenBackOnce() {
        for (int i = 0; i < 20; i++) {
            table.failed("user" + i, "192.0.2.1", 0);
        }
        FailureTable.@Nullable Pass early = table.enter("ada", "192.0.2.1", 0);
        for (int i = 0; i < 5; i++) {
            table.failed("ada", "198.51.100.1", 0);
        }
        for (int i = 0; i < FailureTable.WAITING_OF_NAME; i++) {
            assertThat(table.enter("ada", "203.0.113." + i, 0)).isNotNull();
        }
        assertThat(early).isNotNull();
        if (early != null) {
            table.leave(early);
        }
        assertThat(table.enter("ada", "203.0.113.99", 0)).isNull();
    }

    @Test
    void remembersABoundedNumber() {
        for (int i = 0; i < 1_000; i++) {
            table.failed("user" + i, "192.0.2.1", i);
        }
        assertThat(table.size()).isEqualTo(100);
        assertThat(delayMillis("new", "192.0.2.1", 1_000)).isEqualTo(1000); // used most recently
    }
}
