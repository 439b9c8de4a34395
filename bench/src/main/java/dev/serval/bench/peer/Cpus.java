package dev.serval.bench.peer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Who runs on which CPU. Where there are two, the server has one and everything else another, so
/// that neither takes the other's time or cache.
///
/// @param all the CPUs there are for us
/// @param server the server's
/// @param client the client's and the suite's own
/// @param pinned whether processes are held there; else server and client are both `all`
public record Cpus(Set<Integer> all, Set<Integer> server, Set<Integer> client, boolean pinned) {
    /// Server on the first allowed CPU, client on the second, where there are two and `taskset`.
    public static Cpus choose(Proc proc) throws IOException {
        Set<Integer> all = proc.allowedCpus();
        if (all.size() < 2 || Programs.find("taskset").isEmpty()) {
            return unpinned(all);
        }
        Iterator<Integer> each = all.iterator();
        return new Cpus(all, Set.of(each.next()), Set.of(each.next()), true);
    }

    /// Server on the first two, client on the rest, where there are four and `taskset`; otherwise as
    /// it is.
    public Cpus spread() {
        if (!pinned || all.size() < 4) {
            return this;
        }
        List<Integer> each = List.copyOf(new TreeSet<>(all));
        return new Cpus(
                all,
                Set.copyOf(each.subList(0, 2)),
                Set.copyOf(each.subList(2, each.size())),
                true);
    }

    /// Everybody anywhere.
    public static Cpus unpinned(Set<Integer> all) {
        return new Cpus(all, all, all, false);
    }

    /// A command that runs on the server's CPU.
    public List<String> onServer(List<String> command) {
        return pinned ? taskset(server, command) : command;
    }

    /// A command that runs on the client's CPU.
    public List<String> onClient(List<String> command) {
        return pinned ? taskset(client, command) : command;
    }

    /// A command that runs where it likes. It must be said: children inherit the suite's own CPU.
    public List<String> anywhere(List<String> command) {
        return pinned ? taskset(all, command) : command;
    }

    /// Moves the suite itself, threads that exist included, to the client's CPU.
    public void moveSelf() {
        if (pinned) {
            String pid = String.valueOf(ProcessHandle.current().pid());
            Programs.output(List.of("taskset", "-a", "-c", "-p", list(client), pid));
        }
    }

    /// In words.
    public String describe() {
        if (!pinned) {
            return all.size() + " CPUs, nothing pinned (that takes two and taskset)";
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
