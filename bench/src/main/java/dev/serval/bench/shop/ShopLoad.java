package dev.serval.bench.shop;

import dev.serval.bench.client.AnswerReader;
import dev.serval.bench.client.Thoughts;
import dev.serval.bench.load.Traffic;
import dev.serval.bench.peer.Protocol;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// A changing number of users of a shop, which think between their interactions (a closed system). Each
/// user follows the same chain with a random generator of its own, from a fixed seed, so every server
/// gets the same users. One thread drives them all.
final class ShopLoad implements AutoCloseable {
    private static final long SEED = 20_261_126;
    private static final long TURN_MILLIS = 10;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int ADDRESSES = 16;

    private final Traffic traffic;
    private final ShopChain chain;
    private final ShopHabits habits;
    private final int customers;
    private final String newcomer;
    private final SplittableRandom seeds = new SplittableRandom(SEED);
    private final List<Shopper> users = new ArrayList<>();
    private final Thoughts thoughts = new Thoughts();
    private final ShopTally aside;

    /// The addresses of images, which thousands of browsers keep.
    private final Map<String, String> addresses = new HashMap<>();

    private int leaving;
    private long names;
    private @Nullable ShopTally tally;

    /// @param customers that the shop knows
    /// @param newcomer how the names of new customers begin
    ShopLoad(
            Protocol protocol,
            int port,
            ShopChain chain,
            ShopHabits habits,
            int customers,
            String newcomer) {
        this.traffic =
                new Traffic(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                        protocol.tls(),
                        ADDRESSES,
                        AnswerReader::keeping);
        this.chain = chain;
        this.habits = habits;
        this.aside = new ShopTally(habits.limitNanos());
        this.customers = customers;
        this.newcomer = newcomer;
    }

    /// Lets so many users be in the shop, and waits until they have settled. Those who are too many
    /// leave after their present answer.
    void settle(int count, double seconds) {
        while (users.size() < count) {
            users.add(new Shopper(this, seeds.split()));
        }
        while (users.size() > count) {
            leaving++;
            users.removeLast().leave();
        }
        turnFor(seconds);
        while (leaving > 0) { // the patience of each user ends
            turn(TURN_MILLIS * NANOS_PER_MILLI);
        }
    }

    /// Measures the interactions that begin in so many seconds.
    ShopTally measure(double seconds) {
        ShopTally measured = new ShopTally(habits.limitNanos());
        long start = System.nanoTime();
        tally = measured;
        turnFor(seconds);
        tally = null;
        users.forEach(user -> user.tell(measured));
        measured.close((System.nanoTime() - start) / 1e9);
        return measured;
    }

    private void turnFor(double seconds) {
        long end = System.nanoTime() + Math.round(1e9 * seconds);
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            turn(left);
        }
    }

    /// Lets users act whose thoughts are over, and waits for answers until the next one's are.
    private void turn(long nanosMax) {
        long now = System.nanoTime();
        thoughts.act(now);
        long millis = thoughts.pauseNanos(now, nanosMax) / NANOS_PER_MILLI;
        traffic.engine().turn(Math.clamp(millis, 1, TURN_MILLIS));
    }

    /// Returns those who think.
    Thoughts thoughts() {
        return thoughts;
    }

    Traffic traffic() {
        return traffic;
    }

    ShopChain chain() {
        return chain;
    }

    ShopHabits habits() {
        return habits;
    }

    /// Returns the tally of the present measurement, or null between two.
    @Nullable ShopTally tally() {
        return tally;
    }

    /// Returns a visitor whose new name is different from all others.
    ShopVisitor visitor(SplittableRandom random) {
        names++;
        return new ShopVisitor(random, customers, newcomer + names);
    }

    /// Returns the tally of the interactions that no measurement has: those that begin while users
    /// settle, and those that end after their measurement.
    ShopTally aside() {
        return aside;
    }

    /// Returns one text for all texts with these characters.
    String shared(String address) {
        String first = addresses.putIfAbsent(address, address);
        return first == null ? address : first;
    }

    /// Notes that a user has left.
    void gone() {
        leaving--;
    }

    @Override
    public void close() {
        traffic.close();
    }
}
