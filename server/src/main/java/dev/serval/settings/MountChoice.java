package dev.serval.settings;

import dev.serval.file.FileOptions;
import dev.serval.http.PathPatterns;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// What is served, and where. Immutable.
///
/// @param mounts folders, files and applications; empty for the welcome page
/// @param neighbours servers and applications behind mounts
/// @param rules what mounts do besides; a place without any of the others has only rules
/// @param otherRules what the places do besides that have no rules of their own, such as those of
///     applications that were deployed or have dialled in
/// @param appFiles how the files of applications are served
/// @param usualFiles how a folder is served that says nothing else
public record MountChoice(
        List<Mount> mounts,
        List<NeighbourMount> neighbours,
        Map<Place, MountRules> rules,
        MountRules otherRules,
        AppFiles appFiles,
        FileOptions usualFiles) {
    /// Nothing but the welcome page.
    public static final MountChoice NOTHING = new MountChoice(List.of(), List.of());

    /// How the files of applications are served. That is no part of their mounts: an application continues
    /// while it changes, and one that a command deploys has what holds for its place.
    ///
    /// @param byPlace for the places at which the configuration has an application
    /// @param others for all others
    public record AppFiles(Map<Place, FileOptions> byPlace, FileOptions others) {
        /// Every application has the defaults.
        public static final AppFiles USUAL = new AppFiles(Map.of(), FileOptions.DEFAULT);

        /// Copies the map, without what has no effect on applications, so that equal options serve alike.
        public AppFiles {
            Map<Place, FileOptions> effective = new LinkedHashMap<>();
            byPlace.forEach((place, options) -> effective.put(place, effective(options)));
            byPlace = Map.copyOf(effective);
            others = effective(others);
        }

        private static FileOptions effective(FileOptions options) {
            return options.with(draft -> {
                draft.indexNames = FileOptions.DEFAULT.indexNames();
                draft.links = FileOptions.DEFAULT.links();
                draft.listing = false;
                draft.denied = PathPatterns.NONE;
            });
        }

        /// Returns how files are served of an application at a place.
        public FileOptions at(Place place) {
            return byPlace.getOrDefault(place, others);
        }

        /// Returns these options, in which some places are as all others.
        private AppFiles without(Predicate<Place> places) {
            Map<Place, FileOptions> left = new LinkedHashMap<>(byPlace);
            left.keySet().removeIf(places);
            return new AppFiles(left, others);
        }
    }

    /// Copies the lists.
    public MountChoice {
        mounts = List.copyOf(mounts);
        neighbours = List.copyOf(neighbours);
        rules = Map.copyOf(rules);
    }

    /// Creates a choice without rules.
    public MountChoice(List<Mount> mounts, List<NeighbourMount> neighbours) {
        this(mounts, neighbours, Map.of(), MountRules.NONE, AppFiles.USUAL, FileOptions.DEFAULT);
    }

    /// Returns whether something is said of a host.
    public boolean hasHost(String host) {
        return Stream.of(
                        mounts.stream().map(Mount::place),
                        neighbours.stream().map(NeighbourMount::place),
                        rules.keySet().stream())
                .flatMap(places -> places)
                .anyMatch(place -> place.host().equals(host));
    }

    /// Returns this choice, in which text files of folders are sent with a charset; empty for none.
    public MountChoice withCharset(String charset) {
        List<Mount> changed = new ArrayList<>();
        for (Mount mount : mounts) {
            changed.add(
                    mount.application()
                            ? mount
                            : new Mount(
                                    mount.place(),
                                    mount.path(),
                                    false,
                                    withCharset(mount.files(), charset)));
        }
        return new MountChoice(
                changed, neighbours, rules, otherRules, appFiles, withCharset(usualFiles, charset));
    }

    private static FileOptions withCharset(FileOptions files, String charset) {
        return files.with(draft -> draft.textCharset = charset);
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
        return new MountChoice(
                folders, others, left, otherRules, appFiles.without(over::isTaken), usualFiles);
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
