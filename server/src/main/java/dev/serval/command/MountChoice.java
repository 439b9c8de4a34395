package dev.serval.command;

import dev.serval.backend.NeighbourMount;
import dev.serval.file.FileOptions;
import java.util.List;

/// What is served, and where. Immutable.
///
/// @param mounts folders, files and applications; empty for the welcome page
/// @param neighbours servers and applications behind mounts
/// @param files how folders are served
public record MountChoice(List<Mount> mounts, List<NeighbourMount> neighbours, FileOptions files) {
    /// Copies the lists.
    public MountChoice {
        mounts = List.copyOf(mounts);
        neighbours = List.copyOf(neighbours);
    }

    /// Returns whether something is served at exactly that prefix.
    boolean isTaken(String prefix) {
        return mounts.stream().anyMatch(mount -> mount.prefix().equals(prefix))
                || neighbours.stream().anyMatch(mount -> mount.prefix().equals(prefix));
    }
}
