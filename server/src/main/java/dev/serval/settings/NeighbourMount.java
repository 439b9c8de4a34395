package dev.serval.settings;

import dev.serval.gateway.neighbour.Neighbour;
import dev.serval.gateway.neighbour.NeighbourSyntax;
import org.jspecify.annotations.Nullable;

/// A neighbour and where its answers are served. Immutable.
///
/// @param neighbour its checked settings
public record NeighbourMount(Place place, Neighbour neighbour) {
    /// Returns whether an argument `[/PREFIX=]ADDRESS` names a neighbour.
    public static boolean isNeighbour(String argument) {
        return NeighbourSyntax.isNeighbour(address(argument));
    }

    /// Reads an argument whose prefix was checked.
    ///
    /// @return null if a problem was added
    public static @Nullable NeighbourMount read(Place place, String argument, Complaints problems) {
        return switch (NeighbourSyntax.read(address(argument))) {
            case NeighbourSyntax.Right(Neighbour neighbour) -> new NeighbourMount(place, neighbour);
            case NeighbourSyntax.Wrong(String sentence, boolean machine) -> {
                if (machine) {
                    problems.environment(sentence);
                } else {
                    problems.usage(sentence);
                }
                yield null;
            }
        };
    }

    /// Returns the part after the prefix. An address without a prefix may have a `=` in its
    /// options.
    private static String address(String argument) {
        return argument.startsWith("/") ? argument.substring(argument.indexOf('=') + 1) : argument;
    }
}
