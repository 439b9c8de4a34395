package dev.serval.settings;

import dev.serval.file.FileOptions;
import dev.serval.http.PathPatterns;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/// How the files of applications are served. That is no part of their mounts: an application continues
/// while it changes, and one that a command deploys has what holds for its place. Immutable.
///
/// @param byPlace for the places at which the configuration has an application
/// @param others for all others
public record AppFileOptions(Map<Place, FileOptions> byPlace, FileOptions others) {
    /// Every application has the defaults.
    public static final AppFileOptions USUAL = new AppFileOptions(Map.of(), FileOptions.DEFAULT);

    /// Copies the map, without what has no effect on applications, so that equal options serve alike.
    public AppFileOptions {
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
            draft.unlisted = PathPatterns.NONE;
        });
    }

    /// Returns how files are served of an application at a place.
    public FileOptions at(Place place) {
        return byPlace.getOrDefault(place, others);
    }

    /// Returns these options, in which some places are as all others.
    AppFileOptions without(Predicate<Place> places) {
        Map<Place, FileOptions> left = new LinkedHashMap<>(byPlace);
        left.keySet().removeIf(places);
        return new AppFileOptions(left, others);
    }
}
