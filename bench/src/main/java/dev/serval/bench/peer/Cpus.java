package dev.serval.bench.peer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Assigns CPUs. If there are two or more, the server has one and everything else has another, so
/// that neither uses the other's CPU time or cache.
///
/// @param all the CPUs that this process may use
/// @param pinned whether processes are bound to their CPUs; otherwise server and client may use all
public record Cpus(Set<Integer> all, Set<Integer> server, Set<Integer> client, boolean pinned) {
    /// Assigns the first allowed CPU to the server and the second to the client. If there is only
    /// one CPU or no `taskset`, pins nothing.
    public static Cpus choose(Proc proc) throws IOException {
        Set<Integer> all = proc.allowedCpus();
        if (all.size() < 2 || Programs.find("taskset").isEmpty()) {
            return unpinned(all);
        }
        Iterator<Integer> each = all.iterator();
        return new Cpus(all, Set.of(each.next()), Set.of(each.next()), true);
    }

    /// Assigns the first two CPUs to the server and the rest to the client, if there are four or
    /// more and processes are pinned. Otherwise returns this.
    public Cpus spread() {
        return all.size() < 4 ? this : first(2);
    }

    /// Assigns the first CPUs to the server and the rest to the client. If none is left, the client
    /// shares the server's.
    ///
    /// @param count at most as many as there are
    public Cpus first(int count) {
        if (!pinned) {
            return this;
        }
        List<Integer> each = List.copyOf(new TreeSet<>(all));
        Set<Integer> first = Set.copyOf(each.subList(0, count));
        Set<Integer> rest = Set.copyOf(each.subList(count, each.size()));
        return new Cpus(all, first, rest.isEmpty() ? first : rest, true);
    }

    /// Returns an assignment that pins nothing.
    public static Cpus unpinned(Set<Integer> all) {
        return new Cpus(all, all, all, false);
    }

    /// Returns the command, changed to run on the server's CPUs.
    public List<String> onServer(List<String> command) {
        return pinned ? taskset(server, command) : command;
    }

    /// Returns the command, changed to run on the client's CPUs.
    public List<String> onClient(List<String> command) {
        return pinned ? taskset(client, command) : command;
    }

    /// Returns the command, changed to run on any CPU. Otherwise it would inherit the suite's CPUs.
    public List<String> anywhere(List<String> command) {
        return pinned ? taskset(all, command) : command;
    }

    /// Moves the suite itself, with its existing threads, to the client's CPUs.
    public void moveSelf() {
        moveTo(client);
    }

    /// Lets the suite use all its CPUs again. Otherwise the next scenario would find only one.
    public void moveBack() {
        moveTo(all);
    }

    private void moveTo(Set<Integer> cpus) {
        if (pinned) {
            String pid = String.valueOf(ProcessHandle.current().pid());
            Programs.output(List.of("taskset", "-a", "-c", "-p", list(cpus), pid));
        }
    }

    /// Returns a description for reports.
    public String describe() {
        if (!pinned) {
            return all.size() + " CPUs, nothing pinned (pinning needs two CPUs and taskset)";
        }
        return "server on CPU " + list(server) + ", client on CPU " + list(client);
    }

    private static List<String> taskset(Set<Integer> cpus, List<String> command) {
        List<String> pinned = new ArrayList<>(List.of("taskset", "-c", list(cpus)));
        pinned.addAll(command);
        return pinned;
    }

    private static String list(Set<Integer> cpus) {
        return cpus.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
