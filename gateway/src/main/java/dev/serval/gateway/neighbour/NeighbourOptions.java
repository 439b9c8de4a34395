package dev.serval.gateway.neighbour;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The options of one address while it is read. Used by one thread.
final class NeighbourOptions {
    private static final String COMMON =
            "connections, queue, queue-time, connect-time, answer-time, idle-time, half-close,"
                    + " weights, backup";

    private final Map<String, String> left = new LinkedHashMap<>();
    private final Problems problems;

    private NeighbourOptions(Problems problems) {
        this.problems = problems;
    }

    /// Reads `name=value&name=value`. A value may have `%xx`.
    static NeighbourOptions of(String query, Problems problems) {
        NeighbourOptions options = new NeighbourOptions(problems);
        for (String part : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            String value = equals < 0 ? "" : NeighbourSyntax.decoded(part.substring(equals + 1));
            if (value.isEmpty()) {
                problems.add(name, "\"" + part + "\" is no option: write NAME=VALUE.");
            } else if (options.left.put(name, value) != null) {
                problems.add(name, "The option " + name + " is there twice: once is enough.");
            }
        }
        return options;
    }

    @Nullable String text(String name) {
        return left.remove(name);
    }

    boolean flag(String name, boolean usual) {
        @Nullable String value = left.remove(name);
        if (value == null) {
            return usual;
        }
        if (!value.equals("yes") && !value.equals("no")) {
            problems.add(name, name + " takes yes or no, not " + value + ".");
        }
        return value.equals("yes");
    }

    int number(NumberSetting setting, int usual) {
        @Nullable String value = left.remove(setting.name());
        return value == null ? usual : setting.read(value, problems);
    }

    /// Returns a time in nanoseconds.
    long time(TimeSetting setting, long usualNanos) {
        @Nullable String value = left.remove(setting.name());
        return value == null ? usualNanos : setting.read(value, usualNanos, problems);
    }

    /// Returns the members of a list; none if there is no such option.
    String[] list(String name) {
        @Nullable String value = left.remove(name);
        return value == null ? new String[0] : value.split(",", -1);
    }

    /// Reads changes: `off`, `default`, or `FROM->TO[,FROM->TO…]`.
    void changes(String name, KindDraft.Changes to) {
        String[] members = list(name);
        if (members.length == 1 && members[0].equals("off")) {
            return;
        }
        for (int i = 0; i < members.length; i++) {
            int arrow = members[i].indexOf("->");
            if (members[i].equals("default")) {
                to.usual = true;
            } else if (arrow < 0) {
                problems.add(
                        name, i, name + " takes off, default or FROM->TO, not " + members[i] + ".");
            } else {
                to.changes.add(
                        new KindDraft.Change(
                                members[i].substring(0, arrow), members[i].substring(arrow + 2)));
            }
        }
    }

    /// Refuses options that were not taken.
    ///
    /// @param own the options of the protocol, for the sentence
    void end(String own) {
        for (String name : left.keySet()) {
            problems.add(
                    name,
                    "The option "
                            + name
                            + " does not exist here: possible are "
                            + own
                            + ", "
                            + COMMON
                            + ".");
        }
    }
}
