package dev.serval.settings;

import dev.serval.accesslog.LogChoice;
import dev.serval.automatic.AcmeChoice;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The checked options of `serval run`. Immutable.
///
/// @param served what is served, and where
/// @param engine how the engine runs
/// @param apps how web applications run
/// @param lrwp applications that dial in
/// @param demo whether a demo dials in
/// @param admin administration by HTTP; null for none
/// @param logs the access logs
/// @param acme automatic certificates; null for none
/// @param origin the configuration file; null without one
public record RunOptions(
        MountChoice served,
        EngineChoice engine,
        AppChoice apps,
        LrwpChoice lrwp,
        boolean demo,
        @Nullable AdminChoice admin,
        List<LogChoice> logs,
        @Nullable AcmeChoice acme,
        @Nullable Origin origin) {
    /// Without arguments and without a file: the welcome page at port 8080 of this machine.
    public static final RunOptions STANDARD =
            new RunOptions(
                    MountChoice.NOTHING,
                    EngineChoice.STANDARD,
                    AppChoice.standard(),
                    LrwpChoice.NONE,
                    false,
                    null,
                    List.of(),
                    null,
                    null);

    /// Copies the list.
    public RunOptions {
        logs = List.copyOf(logs);
    }

    /// Returns these options with another origin.
    public RunOptions with(Origin other) {
        return new RunOptions(served, engine, apps, lrwp, demo, admin, logs, acme, other);
    }

    /// Returns the folder of the server's state; null for the usual one of the user.
    public @Nullable Path state() {
        return origin == null ? null : origin.state();
    }
}
