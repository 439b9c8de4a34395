package dev.serval.bench;

import dev.serval.bench.report.Report;
import dev.serval.bench.run.Recorder;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/// A scenario that is to be run.
///
/// @param order the names of all its cells
/// @param estimates how long the chosen cells take, in seconds, by their names
/// @param peers how many servers take part; 0 if the scenario does not compare servers
/// @param settings what a resumed run must have in common with the first one
record Job(
        String name,
        List<String> order,
        Map<String, Double> estimates,
        int peers,
        Map<String, String> settings,
        Runner runner) {
    /// Measures cells.
    interface Runner {
        /// Measures the cells of these names.
        Report run(List<String> cells, PrintStream progress, Recorder recorder) throws IOException;
    }

    /// Returns what a user must know before the start, such as `static: about 14 minutes, 9 cells, 6
    /// peers`.
    ///
    /// @param corrected corrects an estimate
    String outlook(List<String> cells, DoubleUnaryOperator corrected) {
        double seconds = corrected.applyAsDouble(cells.stream().mapToDouble(estimates::get).sum());
        return name
                + ": "
                + Progress.text(seconds)
                + ", "
                + count(cells.size(), "cell")
                + (peers == 0 ? "" : ", " + count(peers, "peer"))
                + (cells.size() == estimates.size()
                        ? ""
                        : "; " + count(estimates.size() - cells.size(), "cell") + " done before");
    }

    private static String count(int number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }
}
