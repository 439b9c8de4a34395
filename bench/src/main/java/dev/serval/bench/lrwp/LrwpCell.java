package dev.serval.bench.lrwp;

import dev.serval.bench.scenario.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A cell of scenario `lrwp`.
///
/// @param cores the number of CPUs that server and peer share; 0 for echoes, whose server has one
///     CPU alone
record LrwpCell(String name, String title, int cores, List<String> jvm, String tokens) {
    /// The cell that compares the gateway with static files.
    static final String ECHO = "echo";

    /// The cell of a peer that writes each answer in two pieces.
    static final String TWO_WRITES = "echo-two-writes";

    /// The cell of rising rates of new connections.
    static final String RAMP = "ramp";

    private static final String TEXT = "text";
    private static final List<Integer> CORES = List.of(1, 2, 4);

    /// All cells, in the order of the measurements.
    static final List<LrwpCell> ALL = all();

    private static List<String> jvm(Cell.Collector collector, int heapMegabytes) {
        List<String> options = new ArrayList<>(collector.options());
        options.add("-Xmx" + heapMegabytes + "m");
        return options;
    }

    private static List<LrwpCell> all() {
        List<LrwpCell> cells = new ArrayList<>();
        cells.add(
                new LrwpCell(
                        ECHO,
                        "echo of 1,200 bytes by 60 connections of one peer",
                        0,
                        jvm(Cell.Collector.SERIAL, 128),
                        TEXT));
        cells.add(
                new LrwpCell(
                        TWO_WRITES,
                        "echo of 20 bytes by one connection of a peer that answers in two writes",
                        0,
                        jvm(Cell.Collector.SERIAL, 128),
                        TEXT));
        cells.add(
                new LrwpCell(
                        RAMP,
                        "echo of 1,024 bytes, rising rates of new connections",
                        0,
                        jvm(Cell.Collector.SERIAL, 128),
                        TEXT));
        for (int cores : CORES) {
            cells.add(osp("osp-" + cores, cores, Cell.Collector.SERIAL, 128, TEXT));
            for (Cell.Collector collector : Cell.Collector.values()) {
                String name = "osp-" + cores + "-" + collector.name().toLowerCase(Locale.ROOT);
                cells.add(osp(name, cores, collector, 512, TEXT));
            }
            cells.add(osp("osp-" + cores + "-signed", cores, Cell.Collector.SERIAL, 128, "signed"));
        }
        return List.copyOf(cells);
    }

    private static LrwpCell osp(
            String name, int cores, Cell.Collector collector, int heapMegabytes, String tokens) {
        return new LrwpCell(
                name,
                String.format(
                        Locale.ROOT,
                        "OSP calls, 50 clients, %d %s, %s collector, %d MB, %s tokens",
                        cores,
                        cores == 1 ? "core" : "cores",
                        collector.name().toLowerCase(Locale.ROOT),
                        heapMegabytes,
                        tokens),
                cores,
                jvm(collector, heapMegabytes),
                tokens);
    }
}
