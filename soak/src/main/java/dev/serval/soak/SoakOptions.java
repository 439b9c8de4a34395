package dev.serval.soak;

import dev.serval.bench.Arguments;
import dev.serval.bench.peer.BenchFailure;
import java.time.Duration;
import java.util.List;

/// The options of `serval soak`.
record SoakOptions(String name, Duration length) {
    static final String USAGE =
            """
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

    /// Reads the options and the name of the soak, in any order.
    ///
    /// @throws BenchFailure if an option is unknown, its value is not valid, or the name is missing
    static SoakOptions parse(List<String> arguments) {
        Duration length = USUAL;
        String name = "";
        Arguments rest = new Arguments(arguments);
        while (!rest.isEmpty()) {
            String one = rest.next();
            switch (one) {
                case "workers", "servlets" -> name = one;
                case "--minutes" -> length = rest.minutes();
                default -> throw new BenchFailure("no soak or option '" + one + "'\n" + USAGE);
            }
        }
        if (name.isEmpty()) {
            throw new BenchFailure("which soak? There are: workers, servlets, floods\n" + USAGE);
        }
        return new SoakOptions(name, length);
    }
}
