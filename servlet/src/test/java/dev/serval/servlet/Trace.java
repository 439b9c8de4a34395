package dev.serval.servlet;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Records what listeners hear, in order.
final class Trace implements ServletRequestListener {
    private final List<String> heard = new CopyOnWriteArrayList<>();

    /// What a listener does at an event, after the event was recorded.
    interface Reaction {
        void to(String event, AsyncEvent details);
    }

    void add(String event) {
        heard.add(event);
    }

    List<String> heard() {
        return List.copyOf(heard);
    }

    void clear() {
        heard.clear();
    }

    boolean has(String event) {
        return heard.contains(event);
    }

    @Override
    public void requestDestroyed(ServletRequestEvent event) {
        add("destroyed");
    }

    AsyncListener listener() {
        return listener("", (_, _) -> {});
    }

    /// Returns a listener whose events are recorded with a prefix.
    AsyncListener listener(String prefix, Reaction reaction) {
        return new AsyncListener() {
            private void hear(String event, AsyncEvent details) {
                add(prefix + event);
                reaction.to(event, details);
            }

            @Override
            public void onComplete(AsyncEvent event) {
                hear("complete", event);
            }

            @Override
            public void onTimeout(AsyncEvent event) {
                hear("timeout", event);
            }

            @Override
            public void onError(AsyncEvent event) {
                hear("error", event);
            }

            @Override
            public void onStartAsync(AsyncEvent event) {
                hear("start", event);
            }
        };
    }
}
