package dev.serval.server;

import dev.serval.command.ControlCommand;
import dev.serval.control.Commands;
import dev.serval.service.Supervisor;
import dev.serval.service.Upgrade;
import java.io.IOException;
import java.util.List;

/// Carries out the commands that concern the process, and passes the others on. Any thread.
///
/// @param site carries out the others
/// @param upgrade replaces the process
/// @param supervisor learns of a reload
record ServiceCommands(Commands site, Upgrade upgrade, Supervisor supervisor) implements Commands {
    @Override
    public int carryOut(List<String> command, Answer answer) throws IOException {
        return switch (command.getFirst()) {
            case ControlCommand.UPGRADE -> upgrade.carryOut(answer);
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
}
