package dev.serval.examples.osp.call;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Remembers the answers to recent components, so that a client that did not get an answer and
/// repeats its message gets the same one, and no second record is written. The oldest are forgotten
/// when there are too many, or when they take too much memory.
public final class Duplicates {
    private static final int PARTS = 16;

    private final Part[] parts = new Part[PARTS];

    /// Creates a memory.
    ///
    /// @param answersMax the most answers
    /// @param answersMaxChars their total length, in characters
    public Duplicates(int answersMax, long answersMaxChars) {
        for (int i = 0; i < PARTS; i++) {
            parts[i] = new Part(Math.max(1, answersMax / PARTS), answersMaxChars / PARTS);
        }
    }

    /// Returns the answer of an earlier component with this key, which may still be on its way, or
    /// null. If it returns null, the caller must [#complete] the key or [#forget] it.
    @Nullable CompletableFuture<String> begin(String key) {
        return part(key).begin(key);
    }

    /// Keeps the answer and gives it to those who wait.
    void complete(String key, String answer) {
        part(key).complete(key, answer);
    }

    /// Forgets a component that failed, so that a repetition tries again. Those who wait get the
    /// same failure.
    void forget(String key, String answer) {
        part(key).forget(key, answer);
    }

    /// Returns the number of answers.
    public int size() {
        int size = 0;
        for (Part part : parts) {
            size += part.size();
        }
        return size;
    }

    private Part part(String key) {
        return parts[(key.hashCode() * 0x9E3779B9) >>> 28];
    }

    /// The keys with the same four bits of hash.
    private static final class Part {
        private final int answersMax;
        private final long charsMax;
        private final Map<String, CompletableFuture<String>> answers = new LinkedHashMap<>();
        private long chars;

        Part(int answersMax, long charsMax) {
            this.answersMax = answersMax;
            this.charsMax = charsMax;
        }

        synchronized int size() {
            return answers.size();
        }

        synchronized @Nullable CompletableFuture<String> begin(String key) {
            CompletableFuture<String> found = answers.putIfAbsent(key, new CompletableFuture<>());
            if (found == null) {
                chars += key.length();
                shrink();
            }
            return found;
        }

        void complete(String key, String answer) {
            CompletableFuture<String> waiting;
            synchronized (this) {
                waiting = answers.get(key);
                if (waiting != null) {
                    chars += answer.length();
                    shrink();
                }
            }
            if (waiting != null) {
                waiting.complete(answer);
            }
        }

        void forget(String key, String answer) {
            CompletableFuture<String> waiting;
            synchronized (this) {
                waiting = answers.remove(key);
                if (waiting != null) {
                    chars -= key.length();
                }
            }
            if (waiting != null) {
                waiting.complete(answer);
            }
        }

        /// Removes the oldest complete answers. Those on their way stay. They are at most as many as
        /// the records that wait to be stored and the requests in progress.
        private void shrink() {
            var oldest = answers.entrySet().iterator();
            while ((answers.size() > answersMax || chars > charsMax) && oldest.hasNext()) {
                Map.Entry<String, CompletableFuture<String>> entry = oldest.next();
                if (entry.getValue().isDone()) {
                    oldest.remove();
                    chars -= entry.getKey().length() + entry.getValue().join().length();
                }
            }
        }
    }
}
