package dev.serval.live;

import static java.util.Objects.requireNonNull;

import java.util.EnumMap;
import java.util.Map;

/// A [History] for each [Span]. One thread adds to them; any thread reads.
final class Histories {
    private final Map<Span, History> all = new EnumMap<>(Span.class);

    /// Creates histories without moments.
    Histories() {
        for (Span span : Span.values()) {
            all.put(span, new History());
        }
    }

    /// Returns the history of a span.
    History of(Span span) {
        return requireNonNull(all.get(span));
    }
}
