package dev.serval.soak;

import dev.serval.bench.Arguments;
import dev.serval.bench.peer.BenchFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// The options of `serval soak`, except those of the floods.
///
/// @param name `workers` or `servlets`; empty for the soak of everything
/// @param heapMegabytes the heap of the server of the soak of everything
/// @param out the folder for its results
record SoakOptions(String name, Duration length, int heapMegabytes, Path out) {
    static final String USAGE =
            """
            serval soak [options]               everything at once: files, an application, a proxied
                                                neighbour, an application that dials in, and reloads;
                                                clients that compare each answer, and hostile ones;
                                                exit code 1 if a promise is broken

              --minutes N     length of the soak (30); fractions are allowed
              --heap N        heap limit of the server in megabytes (256)
              --out FOLDER    where the results go (docs/results)

            serval soak [--minutes N] workers   application code of every kind on all loops, with
                                                each answer compared; exit code 1 after a wrong
                                                answer, a hang or a leak
            serval soak [--minutes N] servlets  a server of its own with a WAR and a small heap,
                                                requests of every kind and clients of every
                                                manner; the same exit code

              --minutes N     length of the soak (5); fractions are allowed

            """
                    + FloodOptions.USAGE;
    private static final Duration USUAL = Duration.ofMinutes(5);
    private static final Duration USUAL_WHOLE = Duration.ofMinutes(30);
    private static final int USUAL_HEAP = 256;
    private static final Path RESULTS = Path.of("docs", "results");

    /// Reads the options and the name of the soak, in any order.
    ///
    /// @throws BenchFailure if a word is unknown, a value is not valid, or an option does not fit
    static SoakOptions parse(List<String> arguments) {
        Duration length = Duration.ZERO;
        int heap = 0;
        Path out = Path.of("");
        String name = "";
        Arguments rest = new Arguments(arguments);
        while (!rest.isEmpty()) {
            String one = rest.next();
            switch (one) {
                case "workers", "servlets" -> name = one;
                case "--minutes" -> length = rest.minutes();
                case "--heap" -> heap = rest.number();
                case "--out" -> out = rest.path();
                default ->
                        throw new BenchFailure(
                                "no soak or option '"
                                        + one
                                        + "'; the soaks are: workers, servlets, floods, crowd,"
                                        + " tls, streams, and without a name that of everything\n"
                                        + USAGE);
            }
        }
        boolean whole = name.isEmpty();
        if (!whole && (heap != 0 || !out.equals(Path.of("")))) {
            throw new BenchFailure(name + " has no option but --minutes\n" + USAGE);
        }
        Duration usual = whole ? USUAL_WHOLE : USUAL;
        return new SoakOptions(
                name,
                length.isZero() ? usual : length,
                heap == 0 ? USUAL_HEAP : heap,
                out.equals(Path.of("")) ? RESULTS : out);
    }
}
