package dev.serval.demo;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Keeps one process of the demo running. If it ends, the next one is started after a pause of 1 s,
/// which doubles up to 60 s while processes end before they have registered.
///
/// Its thread `serval-demo` starts the processes and reads what they print. [#leave] and [#close]
/// may be called by any thread.
final class DemoKeeper implements AutoCloseable {
    private static final long PAUSE_MILLIS = 1_000;
    private static final long PAUSE_MAX_MILLIS = 60_000;
    private static final long JOIN_MILLIS = 6_000;

    /// Starts a process.
    @FunctionalInterface
    interface Starter {
        DemoProcess start() throws IOException;
    }

    private final Starter starter;
    private final Consumer<DemoProcess> registered;
    private final Consumer<String> ended;
    private final CountDownLatch leaving = new CountDownLatch(1);
    private final AtomicReference<@Nullable DemoProcess> current = new AtomicReference<>();
    private final Thread thread;

    private DemoKeeper(Starter starter, Consumer<DemoProcess> registered, Consumer<String> ended) {
        this.starter = starter;
        this.registered = registered;
        this.ended = ended;
        this.thread = Thread.ofPlatform().daemon().name("serval-demo").unstarted(this::keep);
    }

    /// Starts the first process, without waiting for it.
    ///
    /// @param registered is told of each process that serves
    /// @param ended is told why a process ended, after the pause, unless the keeper leaves: a signal
    ///     of the terminal ends the server and this process at the same time
    static DemoKeeper start(
            Starter starter, Consumer<DemoProcess> registered, Consumer<String> ended) {
        DemoKeeper keeper = new DemoKeeper(starter, registered, ended);
        keeper.thread.start();
        return keeper;
    }

    private void keep() {
        long pauseMillis = PAUSE_MILLIS;
        try {
            while (leaving.getCount() > 0) {
                boolean[] served = new boolean[1];
                String end = end(served);
                pauseMillis =
                        served[0] ? PAUSE_MILLIS : Math.min(2 * pauseMillis, PAUSE_MAX_MILLIS);
                if (!leaving.await(pauseMillis, TimeUnit.MILLISECONDS)) {
                    ended.accept(end);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // ends this thread
        }
    }

    /// Starts a process and waits for its end.
    ///
    /// @return how it ended
    private String end(boolean[] served) throws InterruptedException {
        try (DemoProcess process = starter.start()) {
            current.set(process);
            if (leaving.getCount() == 0) { // `leave` may have come too early to see the process
                return "";
            }
            String complaint =
                    process.follow(() -> {
                        served[0] = true;
                        registered.accept(process);
                    });
            return "process "
                    + process.pid()
                    + ", exit code "
                    + process.awaitEnd()
                    + (complaint.isEmpty() ? "" : ", \"" + complaint + "\"");
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /// Tells the process to answer the requests in progress and to end. Does not wait.
    void leave() {
        leaving.countDown();
        @Nullable DemoProcess process = current.get();
        if (process != null) {
            process.leave();
        }
    }

    /// Ends the process; kills it if it does not end within 5 s.
    @Override
    public void close() {
        leave();
        @Nullable DemoProcess process = current.get();
        if (process != null) {
            process.close();
        }
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
