package dev.serval.bench;

import dev.serval.bench.peer.BenchFailure;
import java.time.Duration;
import java.util.List;

/// What was asked of `serval soak`.
///
/// @param length how long the load goes on
record SoakOptions(Duration length) {
    static final String USAGE =
            """
            serval soak [--minutes N] workers   application code of every kind on all loops, each
                                                answer compared; exit code 1 on a wrong answer, a
                                                hang or a leak

              --minutes N     how long (5); fractions are allowed

            """
                    + FloodOptions.USAGE;
    private static final Duration USUAL = Duration.ofMinutes(5);

    /// Reads the options and the name of the soak, in any order.
    ///
    /// @throws BenchFailure where one is unknown or has no sensible value, or the name is missing
    static SoakOptions parse(List<String> arguments) {
        Duration length = USUAL;
        boolean named = false;
        for (int i = 0; i < arguments.size(); i++) {
            String one = arguments.get(i);
            switch (one) {
                case "workers" -> named = true;
                case "--minutes" ->
                        length = minutes(++i < arguments.size() ? arguments.get(i) : "nothing");
                default -> throw new BenchFailure("no soak or option '" + one + "'\n" + USAGE);
            }
        }
        if (!named) {
            throw new BenchFailure("which soak? There are: workers, floods\n" + USAGE);
        }
        return new SoakOptions(length);
    }

    private static Duration minutes(String value) {
        if (!value.matches("[0-9]{1,5}([.][0-9]{1,3})?") || Double.parseDouble(value) <= 0) {
            throw new BenchFailure("--minutes needs a positive number, not '" + value + "'");
        }
        return Duration.ofMillis((long) (Double.parseDouble(value) * 60_000));
    }
}
