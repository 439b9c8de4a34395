package dev.serval.servlet.assembly;

import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.Origin;
import dev.serval.servlet.webxml.Ordering;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Puts the jars of WEB-INF/lib in order (Servlet 6.1 §8.2.2).
///
/// The relative order has three groups: those before all others, those without such a wish, and
/// those after all others. A wish by name may move a fragment to another group: one that has to
/// come after a member of the last group is in the last group too. Within a group, wishes by name
/// decide, and then the order in which the jars are given.
final class FragmentOrder {
    private FragmentOrder() {}

    /// The result.
    ///
    /// @param fragments in order
    /// @param excluded those that an absolute ordering without others leaves out
    /// @param ordered whether a descriptor asks for an order
    record Result(List<Fragment> fragments, List<Fragment> excluded, boolean ordered) {}

    /// Puts fragments in order.
    ///
    /// @param ordering that of web.xml
    /// @throws DescriptorException if a name is not unique or wishes contradict each other
    static Result of(List<Fragment> fragments, Ordering ordering) throws DescriptorException {
        return switch (ordering) {
            case Ordering.Absolute absolute -> absolute(fragments, absolute.names());
            case Ordering.Relative relative ->
                    new Result(
                            new Sort(fragments).sorted(),
                            List.of(),
                            fragments.stream().anyMatch(fragment -> fragment.ordering().isWish()));
        };
    }

    private static Result absolute(List<Fragment> fragments, List<String> names) {
        List<Fragment> ordered = new ArrayList<>();
        for (String name : names) {
            for (Fragment fragment : fragments) {
                boolean isMember =
                        name.equals(Ordering.OTHERS)
                                ? fragment.name().isEmpty() || !names.contains(fragment.name())
                                : fragment.name().equals(name);
                if (isMember) {
                    ordered.add(fragment);
                }
            }
        }
        List<Fragment> excluded = new ArrayList<>(fragments);
        excluded.removeAll(new HashSet<>(ordered));
        return new Result(ordered, excluded, true);
    }

    private enum Group {
        FIRST,
        MIDDLE,
        LAST
    }

    /// One sort. Fragments are known by their index.
    private static final class Sort {
        private final List<Fragment> fragments;
        private final Map<String, Integer> byName = new HashMap<>();
        private final List<Set<Integer>> followers = new ArrayList<>();
        private final List<Set<Integer>> predecessors = new ArrayList<>();
        private final Group[] groups;

        private Sort(List<Fragment> fragments) {
            this.fragments = fragments;
            groups = new Group[fragments.size()];
            Arrays.fill(groups, Group.MIDDLE);
        }

        private List<Fragment> sorted() throws DescriptorException {
            name();
            link();
            spread(Group.FIRST, predecessors);
            spread(Group.LAST, followers);
            int[] open = new int[fragments.size()];
            for (int i = 0; i < open.length; i++) {
                open[i] = predecessors.get(i).size();
            }
            List<Fragment> sorted = new ArrayList<>();
            while (sorted.size() < fragments.size()) {
                int next = next(open);
                if (next < 0) {
                    throw circle(open);
                }
                open[next] = -1;
                sorted.add(fragments.get(next));
                for (int follower : followers.get(next)) {
                    open[follower]--;
                }
            }
            return sorted;
        }

        private void name() throws DescriptorException {
            for (int i = 0; i < fragments.size(); i++) {
                Fragment fragment = fragments.get(i);
                if (fragment.name().isEmpty()) {
                    continue;
                }
                @Nullable Integer other = byName.putIfAbsent(fragment.name(), i);
                if (other != null) {
                    throw new DescriptorException(
                            origin(fragment),
                            ("The fragment name \"%s\" is also that of %s. "
                                            + "Remove one of the jars, or add <absolute-ordering> to web.xml.")
                                    .formatted(fragment.name(), fragments.get(other).jar().name()));
                }
            }
        }

        private void link() throws DescriptorException {
            for (int i = 0; i < fragments.size(); i++) {
                followers.add(new HashSet<>());
                predecessors.add(new HashSet<>());
            }
            for (int i = 0; i < fragments.size(); i++) {
                Ordering.Relative wish = fragments.get(i).ordering();
                for (String name : wish.before()) {
                    link(i, byName.get(name));
                }
                for (String name : wish.after()) {
                    @Nullable Integer other = byName.get(name);
                    if (other != null) {
                        link(other, i);
                    }
                }
                boolean first = wish.before().contains(Ordering.OTHERS);
                boolean last = wish.after().contains(Ordering.OTHERS);
                if (first && last) {
                    throw new DescriptorException(
                            origin(fragments.get(i)),
                            ("The fragment \"%s\" is both before and after all others. "
                                            + "Remove one <others/>.")
                                    .formatted(fragments.get(i).label()));
                }
                groups[i] = first ? Group.FIRST : last ? Group.LAST : Group.MIDDLE;
            }
        }

        private void link(int earlier, @Nullable Integer later) {
            if (later != null) {
                followers.get(earlier).add(later);
                predecessors.get(later).add(earlier);
            }
        }

        /// Takes what is linked to members of a group into the group.
        private void spread(Group group, List<Set<Integer>> links) throws DescriptorException {
            Deque<Integer> open = new ArrayDeque<>();
            for (int i = 0; i < groups.length; i++) {
                if (groups[i] == group) {
                    open.add(i);
                }
            }
            while (!open.isEmpty()) {
                int member = open.remove();
                for (int linked : links.get(member)) {
                    if (groups[linked] == Group.MIDDLE) {
                        groups[linked] = group;
                        open.add(linked);
                    } else if (groups[linked] != group) {
                        throw contradiction(member, linked);
                    }
                }
            }
        }

        private DescriptorException contradiction(int member, int linked) {
            boolean memberFirst = groups[member] == Group.FIRST;
            Fragment first = fragments.get(memberFirst ? member : linked);
            Fragment last = fragments.get(memberFirst ? linked : member);
            return new DescriptorException(
                    origin(first),
                    ("The fragment \"%s\" is before all others, but has to follow \"%s\", "
                                    + "which is after all others. Add <absolute-ordering> to web.xml.")
                            .formatted(first.label(), last.label()));
        }

        private int next(int[] open) {
            int next = -1;
            for (int i = 0; i < open.length; i++) {
                if (open[i] == 0 && (next < 0 || groups[i].compareTo(groups[next]) < 0)) {
                    next = i;
                }
            }
            return next;
        }

        /// Follows predecessors that are left until one comes again: the circle.
        private DescriptorException circle(int[] open) {
            int member = 0;
            while (open[member] <= 0) {
                member++;
            }
            List<Integer> path = new ArrayList<>();
            while (!path.contains(member)) {
                path.add(member);
                for (int predecessor : predecessors.get(member)) {
                    if (open[predecessor] > 0) {
                        member = predecessor;
                        break;
                    }
                }
            }
            List<Integer> circle = path.subList(path.indexOf(member), path.size());
            Collections.reverse(circle);
            List<String> labels = new ArrayList<>();
            circle.forEach(index -> labels.add(fragments.get(index).label()));
            labels.add(labels.getFirst());
            return new DescriptorException(
                    origin(fragments.get(circle.getFirst())),
                    ("The fragments have to come before each other in a circle: %s. "
                                    + "Add <absolute-ordering> to web.xml.")
                            .formatted(String.join(" → ", labels)));
        }

        private static Origin origin(Fragment fragment) {
            return new Origin(fragment.jar().name() + "!/" + Fragment.PATH, 0, 0);
        }
    }
}
