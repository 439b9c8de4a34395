package dev.serval.examples.osp.call;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Remembers the answers to recent components, so that a client that did not get an answer and
/// repeats its message gets the same one, and no second record is written. The oldest are forgotten
/// when there are too many, or when they take too much memory. An answer that has expired is not
/// given again.
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
    ///
    /// @param second the current second
    @Nullable CompletableFuture<String> begin(String key, long second) {
        return part(key).begin(key, second);
    }

    /// Keeps the answer and gives it to those who wait.
    ///
    /// @param lastSecond the last second in which it is given
    void complete(String key, String answer, long lastSecond) {
        part(key).complete(key, answer, lastSecond);
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

    /// An answer, or its place while it is on its way. The lock of its part guards `lastSecond`.
    private static final class Kept {
        private final CompletableFuture<String> answer = new CompletableFuture<>();
        private long lastSecond = Long.MAX_VALUE;
    }

    /// The keys with the same four bits of hash.
    private static final class Part {
        private final int answersMax;
        private final long charsMax;
        private final Map<String, Kept> answers = new LinkedHashMap<>();
        private long chars;

        Part(int answersMax, long charsMax) {
            this.answersMax = answersMax;
            this.charsMax = charsMax;
        }

        synchronized int size() {
            return answers.size();
        }

        synchronized @Nullable CompletableFuture<String> begin(String key, long second) {
            Kept found = answers.get(key);
            if (found != null && second <= found.lastSecond) {
                return found.answer;
            }
            if (found != null) {
                answers.remove(key);
                chars -= length(key, found);
            }
            answers.put(key, new Kept());
            chars += key.length();
            shrink();
            return null;
        }

        /// Completes the future inside the lock, so that an answer that counts is complete. What
        /// depends on the future only wakes those who wait.
        synchronized void complete(String key, String answer, long lastSecond) {
            Kept waiting = answers.get(key);
            if (waiting != null && waiting.answer.complete(answer)) {
                waiting.lastSecond = lastSecond;
                chars += answer.length();
                shrink();
            }
        }

        synchronized void forget(String key, String answer) {
            Kept waiting = answers.remove(key);
            if (waiting != null) {
                chars -= length(key, waiting);
                waiting.answer.complete(answer);
            }
        }

        private static int length(String key, Kept kept) {
            return key.length() + (kept.answer.isDone() ? kept.answer.join().length() : 0);
        }

        /// Removes the oldest complete answers. Those on their way stay. They are at most as many as
        /// the records that wait to be stored and the requests in progress.
        private void shrink() {
            var oldest = answers.entrySet().iterator();
            while ((answers.size() > answersMax || chars > charsMax) && oldest.hasNext()) {
                Map.Entry<String, Kept> entry = oldest.next();
                if (entry.getValue().answer.isDone()) {
                    oldest.remove();
                    chars -= length(entry.getKey(), entry.getValue());
                }
            }
        }
    }
}
