package dev.serval.live;

import dev.serval.policy.LoadMode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// The moments of a span with their ages, of which the lines and the band of charts are made. Immutable.
///
/// @param ages in seconds, from old to new
/// @param moments as many
record Curve(Span span, List<Integer> ages, List<Moment> moments) {
    Curve {
        ages = List.copyOf(ages);
        moments = List.copyOf(moments);
    }

    /// Returns the moments that are within the span. Older ones are there if the process has not run
    /// for a while.
    ///
    /// @param all from old to new
    static Curve of(Span span, List<Moment> all) {
        long now = all.isEmpty() ? 0 : all.getLast().epochMillis();
        List<Integer> ages = new ArrayList<>();
        List<Moment> recent = new ArrayList<>();
        for (Moment one : all) {
            int age =
                    (int) Math.min(Integer.MAX_VALUE, Math.round((now - one.epochMillis()) / 1e3));
            if (age < span.seconds()) {
                ages.add(age);
                recent.add(one);
            }
        }
        return new Curve(span, ages, recent);
    }

    /// Returns a line of a chart.
    Board.Line line(String name, ToDoubleFunction<Moment> value) {
        return new Board.Line(name, ages, moments.stream().map(value::applyAsDouble).toList());
    }

    /// Returns the load modes.
    ModeBand modes() {
        List<LoadMode> modes = moments.stream().map(one -> one.state().mode()).toList();
        return ModeBand.of(span, ages, modes);
    }
}
