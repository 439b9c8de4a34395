package dev.serval.live;

import dev.serval.policy.LoadMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// The load modes over the span of a board, which charts show as a thin band below their lines.
/// Immutable.
///
/// @param stretches from old to new
record ModeBand(List<Stretch> stretches) {
    /// A time in one mode.
    ///
    /// @param fromAge its start in seconds before now
    /// @param toAge its end
    record Stretch(int fromAge, int toAge, LoadMode mode) {}

    ModeBand {
        stretches = List.copyOf(stretches);
    }

    /// Returns the band of some moments.
    ///
    /// @param ages of the moments in seconds, from old to new
    /// @param modes of the moments
    static ModeBand of(Span span, List<Integer> ages, List<LoadMode> modes) {
        List<Stretch> band = new ArrayList<>();
        for (int i = 0; i < ages.size(); i++) {
            int to = ages.get(i);
            int from = Math.min(span.seconds(), to + span.periodSeconds());
            boolean follows =
                    !band.isEmpty()
                            && band.getLast().mode == modes.get(i)
                            && band.getLast().toAge - to <= span.gapSeconds();
            if (follows) {
                from = band.removeLast().fromAge;
            } else if (!band.isEmpty()) {
                from = Math.min(from, band.getLast().toAge); // no sample is exactly on time
            }
            band.add(new Stretch(from, to, modes.get(i)));
        }
        return new ModeBand(band);
    }

    /// Returns how long each mode has been in force, as text. A mode that never was has none.
    Map<LoadMode, String> times() {
        Map<LoadMode, Long> seconds = new EnumMap<>(LoadMode.class);
        for (Stretch one : stretches) {
            seconds.merge(one.mode, (long) one.fromAge - one.toAge, Long::sum);
        }
        Map<LoadMode, String> times = new EnumMap<>(LoadMode.class);
        seconds.forEach((mode, sum) -> times.put(mode, Texts.age(Duration.ofSeconds(sum))));
        return times;
    }

    /// Returns how high the band is in a mode, so that it can be read without colours.
    static int height(LoadMode mode) {
        return switch (mode) {
            case LIGHT -> 2;
            case NORMAL -> 4;
            case HEAVY -> 6;
            case CRITICAL -> 8;
        };
    }
}
