package dev.serval.soak.whole;

import java.util.Map;

/// A row of the table: what the clients saw and the server held in a minute.
///
/// @param part `warm-up`, `load` or `crowd`
/// @param seconds how long it lasted
/// @param requests right answers to clients that behave
/// @param wrong wrong, broken or missing answers, of all clients
/// @param refused answers 503 to clients that behave
/// @param p50Millis of the answers to clients that behave, without long ones, like the others
/// @param largeP99Millis of answers of 8 MB and other long ones
/// @param heapMegabytes the most heap after a collection of this minute; 0 without a collection
/// @param pauseMillis the longest pause of the collector
/// @param hostile what hostile clients got, by kind and outcome
/// @param refusals what the server refused, by its own counters; empty if it has no metrics
public record Row(
        String part,
        double seconds,
        long requests,
        long wrong,
        long refused,
        double p50Millis,
        double p99Millis,
        double p999Millis,
        double worstMillis,
        double largeP99Millis,
        long heapMegabytes,
        double pauseMillis,
        long residentMegabytes,
        long descriptors,
        long threads,
        Map<String, Long> hostile,
        Map<String, Long> refusals) {
    /// Returns the number of acts of hostile clients.
    long acts() {
        return hostile.values().stream().mapToLong(Long::longValue).sum();
    }
}
