package dev.serval.examples.osp.call;

import dev.serval.examples.osp.message.OspStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Routes, callers that are refused, limits of callers, and customers. Immutable.
///
/// The longest prefix decides. Among the destinations of a prefix the cheapest comes first; among
/// equal prices the order is random by weight.
public final class RouteTable {
    /// The most calls in a second of the callers with a prefix.
    ///
    /// @param prefix digits; empty for every number
    public record CallLimit(String prefix, int callsPerSecond) {}

    private final TreeMap<String, Route> routes;
    private final Map<String, OspStatus> sources;
    private final Map<String, CallLimit> limits;
    private final Set<String> customers;
    private final Set<String> addresses;
    private final int longest;

    RouteTable(
            Map<String, Route> routes,
            Map<String, OspStatus> sources,
            Map<String, CallLimit> limits,
            Set<String> customers) {
        this.routes = new TreeMap<>(routes);
        this.sources = Map.copyOf(sources);
        this.limits = Map.copyOf(limits);
        this.customers = Set.copyOf(customers);
        this.addresses =
                routes.values().stream()
                        .flatMap(route -> route.destinations().stream())
                        .map(Destination::address)
                        .collect(Collectors.toUnmodifiableSet());
        Set<String> prefixes = new HashSet<>(routes.keySet());
        prefixes.addAll(sources.keySet());
        prefixes.addAll(limits.keySet());
        this.longest = prefixes.stream().mapToInt(String::length).max().orElse(0);
    }

    /// Returns all routes in the order of their prefixes.
    public List<Route> routes() {
        return List.copyOf(routes.values());
    }

    /// Returns the route with the longest prefix of a called number, or null.
    @Nullable Route route(String called) {
        return longest(called, routes::get);
    }

    /// Returns why calls from a number are refused, or null.
    @Nullable OspStatus refusal(String calling) {
        return longest(calling, sources::get);
    }

    /// Returns the limit of a caller, or null.
    @Nullable CallLimit limit(String calling) {
        return longest(calling, limits::get);
    }

    /// Returns whether requests of this customer are answered. Without a list all are.
    boolean isCustomer(String id) {
        return customers.isEmpty() || customers.contains(id);
    }

    /// Returns whether a route has this address.
    boolean hasAddress(String address) {
        return addresses.contains(address);
    }

    /// Returns the destinations of a route in the order in which a gateway should try them.
    ///
    /// @param avoided says which destinations come last, because they are short of resources
    List<Destination> order(Route route, RandomGenerator random, Set<String> avoided) {
        if (route.destinations().size() == 1) {
            return route.destinations();
        }
        record Ranked(Destination destination, double lot) {}
        List<Ranked> ranked = new ArrayList<>();
        for (Destination each : route.destinations()) {
            // The smallest of exponential lots with rates w falls on each with probability w/sum.
            double lot =
                    each.weight() == 0
                            ? Double.POSITIVE_INFINITY
                            : -Math.log(1 - random.nextDouble()) / each.weight();
            ranked.add(new Ranked(each, lot));
        }
        ranked.sort(
                Comparator.comparing((Ranked each) -> avoided.contains(each.destination.address()))
                        .thenComparing(each -> each.destination.weight() == 0)
                        .thenComparingDouble(each -> each.destination.perSecond())
                        .thenComparingDouble(Ranked::lot));
        return ranked.stream().map(Ranked::destination).toList();
    }

    private <T> @Nullable T longest(String number, Function<String, @Nullable T> lookup) {
        for (int length = Math.min(number.length(), longest); length >= 0; length--) {
            T found = lookup.apply(number.substring(0, length));
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}
