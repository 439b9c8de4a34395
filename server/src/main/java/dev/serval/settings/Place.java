package dev.serval.settings;

import dev.serval.route.RouteTable;
import java.util.Comparator;
import java.util.Locale;

/// Where something is served. Immutable.
///
/// @param host the name of a virtual host, or `*` for all that have no mounts of their own
/// @param prefix `/` or `/name[/name…]`
public record Place(String host, String prefix) implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
            Comparator.comparing((Place place) -> !place.isDefaultHost())
                    .thenComparing(Place::host)
                    .thenComparing(Place::prefix);

    /// Returns a place on the default host.
    public static Place at(String prefix) {
        return new Place(RouteTable.DEFAULT_HOST, prefix);
    }

    /// Returns a place whose host and prefix the engine takes.
    ///
    /// @throws IllegalArgumentException if one of them is malformed; the message says what is right
    public static Place checked(String host, String prefix) {
        RouteTable.builder().mount(host, prefix, x -> x.pass());
        return new Place(host.toLowerCase(Locale.ROOT), prefix);
    }

    /// Returns whether it is on the default host.
    public boolean isDefaultHost() {
        return host.equals(RouteTable.DEFAULT_HOST);
    }

    /// Returns whether it is the root of its host.
    public boolean isRoot() {
        return prefix.equals("/");
    }

    @Override
    public int compareTo(Place other) {
        return ORDER.compare(this, other);
    }

    /// Returns the place as people read it: `/shop`, or `www.example.org/shop`.
    @Override
    public String toString() {
        return isDefaultHost() ? prefix : host + prefix;
    }
}
