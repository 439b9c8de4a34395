package dev.serval.bench.lrwp;

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

    private static final String TEXT = "text";
    private static final List<Integer> CORES = List.of(1, 2, 4);

    /// All cells, in the order of the measurements.
    static final List<LrwpCell> ALL = all();

    /// The garbage collectors, by their JVM option.
    private enum Collector {
        SERIAL("Serial"),
        PARALLEL("Parallel"),
        G1("G1"),
        ZGC("Z");

        private final String option;

        Collector(String option) {
            this.option = option;
        }

        List<String> jvm(int heapMegabytes) {
            return List.of("-XX:+Use" + option + "GC", "-Xmx" + heapMegabytes + "m");
        }
    }

    private static List<LrwpCell> all() {
        List<LrwpCell> cells = new ArrayList<>();
        cells.add(
                new LrwpCell(
                        ECHO,
                        "echo of 1,200 bytes by 60 connections of one peer",
                        0,
                        Collector.SERIAL.jvm(128),
                        TEXT));
        cells.add(
                new LrwpCell(
                        TWO_WRITES,
                        "echo of 20 bytes by one connection of a peer that answers in two writes",
                        0,
                        Collector.SERIAL.jvm(128),
                        TEXT));
        for (int cores : CORES) {
            cells.add(osp("osp-" + cores, cores, Collector.SERIAL, 128, TEXT));
            for (Collector collector : Collector.values()) {
                String name = "osp-" + cores + "-" + collector.name().toLowerCase(Locale.ROOT);
                cells.add(osp(name, cores, collector, 512, TEXT));
            }
            cells.add(osp("osp-" + cores + "-signed", cores, Collector.SERIAL, 128, "signed"));
        }
        return List.copyOf(cells);
    }

    private static LrwpCell osp(
            String name, int cores, Collector collector, int heapMegabytes, String tokens) {
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
                collector.jvm(heapMegabytes),
                tokens);
    }
}
