package dev.serval.servlet.password;

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
        FailureTable.@Nullable Pass pass = table.enter(name, address, true, now);
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

    private List<FailureTable.Pass> enter(int times, String name, String address) {
        List<FailureTable.Pass> passes = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            FailureTable.@Nullable Pass pass = table.enter(name, address, true, 0);
            if (pass != null) {
                passes.add(pass);
            }
        }
        return passes;
    }

    private void fail(int times, String name, String address) {
        for (int i = 0; i < times; i++) {
            table.failed(name, address, 0);
        }
    }

    /// Those who guess keep few threads.
    @Test
    void fewChecksWaitForOneNameAndAddress() {
        fail(5, "ada", "192.0.2.1");
        List<FailureTable.Pass> passes = enter(20, "ada", "192.0.2.1");
        assertThat(passes).hasSize(FailureTable.WAITING_OF_PAIR);
        assertThat(enter(1, "bob", "192.0.2.1")).hasSize(1);
        table.leave(passes.getFirst());
        assertThat(enter(2, "ada", "192.0.2.1")).hasSize(1);
    }

    /// Many addresses that guess the password of a name do not keep its user out.
    @Test
    void guessesLeavePlacesToAddressesWithoutFailures() {
        int guessers = 10;
        for (int i = 0; i < guessers; i++) {
            fail(FailureTable.SUSPECT_FAILURES, "ada", "192.0.2." + i);
        }
        int waiting = 0;
        for (int i = 0; i < guessers; i++) {
            waiting += enter(20, "ada", "192.0.2." + i).size();
        }
        assertThat(waiting).isEqualTo(FailureTable.WAITING_OF_NAME - FailureTable.KEPT_OF_NAME);

        List<FailureTable.Pass> user = enter(1, "ada", "198.51.100.1");
        assertThat(user).hasSize(1);
        assertThat(user.getFirst().delayNanos()).isEqualTo(FailureTable.NAME_MAX_NANOS);
        assertThat(user.getFirst().isSuspect()).isFalse();
        for (int i = 0; i < 20; i++) {
            waiting += enter(1, "ada", "203.0.113." + i).size();
        }
        assertThat(waiting + 1).isEqualTo(FailureTable.WAITING_OF_NAME);
    }

    /// The same for the places of all names.
    @Test
    void guessesOfManyNamesLeavePlaces() {
        FailureTable big = new FailureTable(10_000, EXPIRY);
        int waiting = 0;
        for (int address = 0; address < 20; address++) {
            for (int name = 0; name < 40; name++) {
                String user = "user" + name + "-" + address;
                for (int i = 0; i < 3; i++) {
                    big.failed(user, "192.0.2." + address, 0);
                }
                waiting += big.enter(user, "192.0.2." + address, true, 0) == null ? 0 : 1;
            }
        }
        assertThat(waiting).isEqualTo(FailureTable.WAITING_MAX - FailureTable.KEPT_MAX);
        assertThat(big.enter("user0-0", "198.51.100.1", true, 0)).isNotNull();
    }

    /// Guesses that begin together are delayed as those that begin one after the other.
    @Test
    void checksInProgressCountAsFailures() {
        List<FailureTable.Pass> passes = enter(50, "ada", "192.0.2.1");
        assertThat(passes)
                .extracting(pass -> TimeUnit.NANOSECONDS.toMillis(pass.delayNanos()))
                .containsExactly(0L, 0L, 0L, 100L, 200L, 400L, 800L);
        passes.forEach(table::leave); // right ones
        assertThat(table.size()).isZero();
        assertThat(delayMillis("ada", "192.0.2.1", 0)).isZero();
    }

    /// The users of a proxy share its address, and all log in at once after a restart.
    @Test
    void usersOfOneAddressLogInTogether() {
        for (int i = 0; i < 200; i++) {
            FailureTable.@Nullable Pass pass = table.enter("user" + i, "192.0.2.1", true, 0);
            assertThat(pass).isNotNull();
            if (pass != null) {
                assertThat(pass.delayNanos()).isZero();
            }
        }
    }

    @Test
    void addressWithFailuresHasFewChecksThatWait() {
        for (int i = 0; i < FailureTable.FREE_OF_ADDRESS; i++) {
            fail(1, "user" + i, "192.0.2.1");
        }
        int begun = 0;
        for (int i = 0; i < 200; i++) {
            FailureTable.@Nullable Pass pass = table.enter("fresh" + i, "192.0.2.1", true, 0);
            begun += pass == null ? 0 : 1;
        }
        assertThat(begun).isEqualTo(FailureTable.WAITING_OF_ADDRESS);
    }

    /// A client of DIGEST runs many at a time.
    @Test
    void checksThatAreNotCountedBeginTogether() {
        for (int i = 0; i < 50; i++) {
            FailureTable.@Nullable Pass pass = table.enter("ada", "192.0.2.1", false, 0);
            assertThat(pass).isNotNull();
            if (pass != null) {
                assertThat(pass.delayNanos()).isZero();
            }
        }
        assertThat(table.size()).isZero();
        fail(4, "ada", "192.0.2.1");
        FailureTable.@Nullable Pass pass = table.enter("ada", "192.0.2.1", false, 0);
        assertThat(pass).isNotNull();
        if (pass != null) {
            assertThat(pass.delayNanos()).isPositive();
            table.leave(pass);
        }
    }

    /// Databases may compare names so.
    @Test
    void namesAreComparedWithoutCaseAndOuterBlanks() {
        table.failed("ada", "192.0.2.1", 0);
        table.failed("ADA", "192.0.2.2", 0);
        table.failed(" Ada ", "192.0.2.3", 0);
        assertThat(delayMillis("ada ", "192.0.2.4", 0)).isEqualTo(100);
    }

    /// The owner of `ADA`, if that is another user, cannot clear the failures of `ada`.
    @Test
    void onlyTheSameSpellingIsForgiven() {
        fail(4, "ada", "192.0.2.1");
        table.succeeded("ADA");
        assertThat(delayMillis("ada", "192.0.2.2", 0)).isPositive();
        table.succeeded("ada");
        assertThat(delayMillis("ada", "192.0.2.2", 0)).isZero();
        fail(2, "ada", "192.0.2.1");
        fail(2, "ADA", "192.0.2.1");
        table.succeeded("ADA");
        table.succeeded("ada");
        assertThat(delayMillis("ada", "192.0.2.2", 0)).isPositive();
    }

    /// A place that was given back is not given back again with the next check.
    @Test
    void placesAreGivenBackOnce() {
        fail(5, "ada", "198.51.100.1");
        List<FailureTable.Pass> passes = new ArrayList<>();
        for (int i = 0; i < FailureTable.WAITING_OF_NAME; i++) {
            passes.addAll(enter(1, "ada", "203.0.113." + i));
        }
        assertThat(passes).hasSize(FailureTable.WAITING_OF_NAME);
        assertThat(enter(1, "ada", "203.0.113.98")).isEmpty();
        table.leave(passes.getFirst());
        assertThat(enter(2, "ada", "203.0.113.99")).hasSize(1);
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
