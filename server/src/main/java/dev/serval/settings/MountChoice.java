package dev.serval.settings;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What is served, and where. Immutable.
///
/// @param mounts folders, files and applications; empty for the welcome page
/// @param neighbours servers and applications behind mounts
/// @param rules what mounts do besides; a place without any of the others has only rules
/// @param otherRules what the places do besides that have no rules of their own, such as those of
///     applications that were deployed or have dialled in
/// @param appFiles how the files of applications are served
public record MountChoice(
        List<Mount> mounts,
        List<NeighbourMount> neighbours,
        Map<Place, MountRules> rules,
        MountRules otherRules,
        AppFileOptions appFiles) {
    /// Nothing but the welcome page.
    public static final MountChoice NOTHING = new MountChoice(List.of(), List.of());

    /// Copies the lists.
    public MountChoice {
        mounts = List.copyOf(mounts);
        neighbours = List.copyOf(neighbours);
        rules = Map.copyOf(rules);
    }

    /// Creates a choice without rules.
    public MountChoice(List<Mount> mounts, List<NeighbourMount> neighbours) {
        this(mounts, neighbours, Map.of(), MountRules.NONE, AppFileOptions.USUAL);
    }

    /// Returns this choice, in which `over` takes the place of what is served at the same places.
    public MountChoice overriddenBy(MountChoice over) {
        List<Mount> folders = new ArrayList<>(mounts);
        folders.removeIf(mount -> over.isTaken(mount.place()));
        folders.addAll(over.mounts);
        List<NeighbourMount> others = new ArrayList<>(neighbours);
        others.removeIf(mount -> over.isTaken(mount.place()));
        others.addAll(over.neighbours);
        Map<Place, MountRules> left = new LinkedHashMap<>(rules);
        left.keySet().removeIf(over::isTaken);
        left.putAll(over.rules);
        return new MountChoice(folders, others, left, otherRules, appFiles.without(over::isTaken));
    }

    /// Returns whether an application is among the mounts.
    boolean hasApplications() {
        return mounts.stream().anyMatch(Mount::application);
    }

    /// Returns the most content that a mount allows; 0 if none has such a limit.
    long contentMaxBytes() {
        return rules.values().stream()
                .mapToLong(each -> each.limits().contentMaxBytes())
                .max()
                .orElse(0);
    }

    /// Returns whether something is served at exactly that place.
    public boolean isTaken(Place place) {
        return mounts.stream().anyMatch(mount -> mount.place().equals(place))
                || neighbours.stream().anyMatch(mount -> mount.place().equals(place))
                || rules.containsKey(place);
    }
}
