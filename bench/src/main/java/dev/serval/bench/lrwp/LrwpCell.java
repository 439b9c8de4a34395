package dev.serval.bench.lrwp;

import dev.serval.bench.peer.Resources;
import dev.serval.bench.report.Published;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;

/// A cell of scenario `lrwp`, read from a JSON file.
///
/// @param cores the number of CPUs that server and peer share; 0 for echoes, whose server has one
///     CPU alone
/// @param heapMegabytes of the server and of the peer, each
/// @param youngMegabytes of a heap of fixed size; 0 for one that may be smaller
/// @param tokens `text` or `signed`
/// @param load what the clients of an OSP cell do
record LrwpCell(
        String name,
        String title,
        int cores,
        int heapMegabytes,
        int youngMegabytes,
        Cell.Collector collector,
        String tokens,
        Load load) {
    /// What the clients of an OSP cell do.
    enum Load {
        /// Each of 50 clients sends the messages of calls in turn.
        IN_TURN,
        /// As in the paper: 10 clients send authorisations, 10 usage reports of sources and 30 those
        /// of destinations.
        APART,
        /// The same as in turn, while 10,000 other connections are open and send nothing.
        SILENT,
        /// 50 processes make calls by the OSP toolkit.
        TOOLKIT
    }

    /// The cell that compares the gateway with static files.
    static final String ECHO = "echo";

    /// The cell of a peer that writes each answer in two pieces.
    static final String TWO_WRITES = "echo-two-writes";

    /// The cell of rising rates of new connections.
    static final String RAMP = "ramp";

    /// All cells, in the order of the measurements.
    static final List<LrwpCell> ALL = List.of(read("cells.json", LrwpCell[].class));

    /// Returns the figures of the paper on as many cores.
    List<Published> published() {
        return List.of(read("published.json", Published[].class)).stream()
                .filter(one -> one.where().endsWith(" " + cores))
                .toList();
    }

    private static <T> T read(String resource, Class<T> type) {
        return Scenario.JSON.readValue(Resources.bytes(LrwpCell.class, resource), type);
    }

    /// Returns the options of both JVMs.
    List<String> jvm() {
        List<String> options = new ArrayList<>(collector.options());
        options.add("-Xmx" + heapMegabytes + "m");
        if (youngMegabytes > 0) {
            options.add("-Xms" + heapMegabytes + "m");
            options.add("-Xmn" + youngMegabytes + "m");
        }
        return options;
    }
}
