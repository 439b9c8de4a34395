package dev.serval.settings;

import java.util.ArrayList;
import java.util.List;

/// What is served, and where. Immutable.
///
/// @param mounts folders, files and applications; empty for the welcome page
/// @param neighbours servers and applications behind mounts
public record MountChoice(List<Mount> mounts, List<NeighbourMount> neighbours) {
    /// Nothing but the welcome page.
    public static final MountChoice NOTHING = new MountChoice(List.of(), List.of());

    /// Copies the lists.
    public MountChoice {
        mounts = List.copyOf(mounts);
        neighbours = List.copyOf(neighbours);
    }

    /// Returns this choice, in which `over` takes the place of what is served at the same places.
    public MountChoice overriddenBy(MountChoice over) {
        List<Mount> folders = new ArrayList<>(mounts);
        folders.removeIf(mount -> over.isTaken(mount.place()));
        folders.addAll(over.mounts);
        List<NeighbourMount> others = new ArrayList<>(neighbours);
        others.removeIf(mount -> over.isTaken(mount.place()));
        others.addAll(over.neighbours);
        return new MountChoice(folders, others);
    }

    /// Returns whether something is served at exactly that place.
    public boolean isTaken(Place place) {
        return mounts.stream().anyMatch(mount -> mount.place().equals(place))
                || neighbours.stream().anyMatch(mount -> mount.place().equals(place));
    }
}
