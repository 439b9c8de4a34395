package dev.serval.soak;

import dev.serval.Serval;
import dev.serval.WorkerView;
import java.util.concurrent.atomic.AtomicLong;

/// Reads every thread's stack repeatedly, as a profiler or `jcmd Thread.print` does. To read a
/// virtual thread's stack, the JDK stops the thread and submits it again. Runs on its own thread.
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
