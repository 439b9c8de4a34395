package dev.serval.server;

import dev.serval.command.ControlCommand;
import dev.serval.control.Commands;
import dev.serval.service.Supervisor;
import dev.serval.service.Upgrade;
import dev.serval.settings.ExitCodes;
import dev.serval.site.Reloads;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Carries out the commands that concern the process, and passes the others on. Any thread.
///
/// @param site carries out the others
/// @param upgrade replaces the process
/// @param reloads are refused during an upgrade: the successor could have another configuration
/// @param supervisor learns of a reload
record ServiceCommands(Commands site, Upgrade upgrade, Reloads reloads, Supervisor supervisor)
        implements Commands {
    private static final String UPGRADE =
            "An upgrade is in progress, or another process has taken over: reload when that is over.";

    @Override
    public int carryOut(List<String> command, Answer answer) throws IOException {
        return switch (command.getFirst()) {
            case ControlCommand.UPGRADE -> upgrade(answer);
            case ControlCommand.RELOAD -> {
                supervisor.reloading();
                try {
                    yield site.carryOut(command, answer);
                } finally {
                    supervisor.ready();
                }
            }
            default -> site.carryOut(command, answer);
        };
    }

    private int upgrade(Answer answer) throws IOException {
        @Nullable String emptied = reloads.emptied();
        if (emptied != null) {
            answer.problem(emptied);
            answer.problem("Nothing has changed.");
            return ExitCodes.USAGE;
        }
        return upgrade.carryOut(
                answer,
                new Upgrade.Changes() {
                    @Override
                    public void pause() {
                        reloads.pause(UPGRADE);
                    }

                    @Override
                    public void resume() {
                        reloads.resume();
                    }
                });
    }
}
