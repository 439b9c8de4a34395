package dev.serval.soak;

import dev.serval.bench.Arguments;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.soak.flood.Flood;
import dev.serval.soak.flood.FloodSettings;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// Reads the options of `serval soak floods`, `crowd`, `tls` and `streams`. Stateless.
final class FloodOptions {
    static final String USAGE =
            """
            serval soak [options] floods        one client with a calm pace while others flood the
                                                server, compared with nginx with the same limits;
                                                exit code 1 if an answer is wrong, late or missing,
                                                or if memory is not bounded

            serval soak [options] crowd         calm clients beside 5,000 idle connections, 2,000 half
                                                heads, 10,000 pipelined requests and 100 answers of
                                                8 MB that nobody reads; exit code 1 if an answer is
                                                wrong, their p99 is over 100 ms, or memory grows

            serval soak [options] tls           calm clients during 10,000 handshakes, then beside
                                                these connections, which are idle; exit code 1 if an
                                                answer is wrong, their p99 beside the idle ones is
                                                over 100 ms, or memory is not bounded or grows

            serval soak [options] streams       the same with HTTP/2: each connection has a stream
                                                that waits for its answer

              --cells A,B     only these floods
              --seconds N     length of each flood (10)
              --heap N        heap limit of the server in megabytes (256)
              --jvm OPTIONS   more options for the server's JVM, as one argument
              --provider NAME encrypts for tls and streams: jdk (the default) or boringssl
              --launcher FILE starts the server (./serval); may be in another source tree
            """;

    private static final Path LAUNCHER = Path.of("serval");

    private FloodOptions() {}

    /// Reads the options and the name of the soak, in any order.
    ///
    /// @throws BenchFailure if an option is unknown or its value is not valid
    static FloodSettings parse(List<String> arguments) {
        Arguments rest = new Arguments(arguments);
        List<Flood> cells = List.of(Flood.values());
        int seconds = 10;
        int heap = 256;
        List<String> jvm = List.of();
        Path launcher = LAUNCHER;
        String provider = "jdk";
        while (!rest.isEmpty()) {
            String option = rest.next();
            switch (option) {
                case "floods", "crowd", "tls", "streams" -> {}
                case "--cells" -> cells = rest.names().stream().map(FloodOptions::cell).toList();
                case "--seconds" -> seconds = rest.number();
                case "--heap" -> heap = rest.number();
                case "--jvm" -> jvm = rest.words();
                case "--provider" -> provider = rest.value();
                case "--launcher" -> launcher = rest.path();
                default -> throw new BenchFailure("unknown option '" + option + "'\n" + USAGE);
            }
        }
        return new FloodSettings(cells, seconds, heap, launcher, jvm, provider);
    }

    private static Flood cell(String name) {
        return Arrays.stream(Flood.values())
                .filter(flood -> flood.cell().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new BenchFailure("no flood '" + name + "'; there are: " + all()));
    }

    private static String all() {
        return Arrays.stream(Flood.values()).map(Flood::cell).collect(Collectors.joining(", "));
    }
}
