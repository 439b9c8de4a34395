package dev.serval.examples.osp;

import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/// Random numbers for all threads: those of the thread that asks, so that no thread waits for
/// another. They order destinations and fill attributes; nothing secret comes from them.
final class SharedRandom implements RandomGenerator {
    @Override
    public long nextLong() {
        return ThreadLocalRandom.current().nextLong();
    }
}
