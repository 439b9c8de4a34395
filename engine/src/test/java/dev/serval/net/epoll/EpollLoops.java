package dev.serval.net.epoll;

import dev.serval.loop.FakeClock;
import dev.serval.loop.TestLoops;
import dev.serval.net.DiskThreads;
import dev.serval.net.NetLoop;
import dev.serval.net.Network;

/// Makes loops for tests of epoll, which the test turns. Stateless.
final class EpollLoops {
    private EpollLoops() {}

    /// Makes a loop with buffers as a server has them.
    static NetLoop make() {
        return make(new EpollNetwork(), 64 << 10, 128 << 10);
    }

    static NetLoop make(Network network, int readBytes, int turnBytes) {
        return new NetLoop(
                new TestLoops(new FakeClock()).parts(0),
                network,
                DiskThreads.NONE,
                readBytes,
                turnBytes,
                Long.MAX_VALUE);
    }
}
