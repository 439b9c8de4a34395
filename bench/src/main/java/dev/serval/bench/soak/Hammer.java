package dev.serval.bench.soak;

import dev.serval.Serval;
import dev.serval.worker.WorkerView;
import java.util.concurrent.atomic.AtomicLong;

/// Looks at every thread all the time, as people with a profiler or `jcmd Thread.print` do: to take a
/// virtual thread's stack, the JDK stops it and submits it once more. A thread of its own.
final class Hammer implements Runnable {
    private static final int PAUSE_MILLIS = 20;

    private final Serval server;
    private final AtomicLong stacks = new AtomicLong();

    Hammer(Serval server) {
        this.server = server;
    }

    long stacks() {
        return stacks.get();
    }

    @Override
    public void run() {
        try {
            while (true) {
                for (WorkerView view : server.workerViews()) {
                    Thread thread = view.thread();
                    if (thread != null) {
                        thread.getStackTrace();
                        stacks.incrementAndGet();
                    }
                }
                stacks.addAndGet(Thread.getAllStackTraces().size());
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
