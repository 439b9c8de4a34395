package dev.serval.servlet.loader;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds threads that run code of a stopped application, or have its loader as context.
final class ThreadLeaks {
    private static final int FRAMES_MAX = 5;

    private final LeakSearch search;

    ThreadLeaks(LeakSearch search) {
        this.search = search;
    }

    void find() {
        for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
            Thread thread = entry.getKey();
            if (thread.equals(Thread.currentThread())) {
                continue;
            }
            @Nullable String why = why(thread, search);
            if (why != null) {
                add(thread, why, entry.getValue());
            }
        }
    }

    /// Returns why a thread belongs to the application, or null if it does not.
    static @Nullable String why(Thread thread, LeakSearch search) {
        if (search.belongs(thread)) {
            return "of class " + thread.getClass().getName();
        }
        if (search.belongs(thread.getContextClassLoader())) {
            return "with the application's context class loader";
        }
        @Nullable Object holder = search.read(Thread.class, "holder", thread);
        @Nullable Object task =
                holder == null ? null : search.read(holder.getClass(), "task", holder);
        return task != null && search.belongs(task)
                ? "that runs " + task.getClass().getName()
                : null;
    }

    private void add(Thread thread, String why, StackTraceElement[] frames) {
        boolean timer = thread.getClass().getName().equals("java.util.TimerThread");
        StringBuilder detail = new StringBuilder();
        detail.append("thread \"").append(thread.getName()).append("\" ").append(why);
        for (int i = 0; i < Math.min(FRAMES_MAX, frames.length); i++) {
            detail.append(i == 0 ? ", at " : " < ").append(frames[i]);
        }
        search.add(
                timer ? Leak.Kind.TIMER : Leak.Kind.THREAD,
                detail.toString(),
                timer
                        ? "Call Timer.cancel() in ServletContextListener.contextDestroyed"
                        : "End the thread, or shut its executor down, in"
                                + " ServletContextListener.contextDestroyed",
                false);
    }
}
