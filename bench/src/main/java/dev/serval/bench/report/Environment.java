package dev.serval.bench.report;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The machine and the programs of a measurement. Without them its figures mean nothing.
///
/// @param commit of the working copy, with `+changes` if it was not clean; `unknown` outside of one
public record Environment(
        String date,
        String commit,
        String kernel,
        String cpuModel,
        String cpus,
        long memoryMegabytes,
        String jdk,
        Map<String, String> versions,
        Map<String, String> settings) {
    /// The setting that names the servers of a run, with a comma between two.
    public static final String PEERS = "peers";

    /// Returns whether results of both may stand in one table: of the same commit, machine and versions, and
    /// with the same settings but for the servers.
    public boolean isLike(Environment other) {
        return circumstances().equals(other.circumstances())
                && versionsBefore(other).equals(other.versionsBefore(this));
    }

    private List<Object> circumstances() {
        Map<String, String> others = new TreeMap<>(settings);
        others.remove(PEERS);
        return List.of(commit, cpuModel, cpus, kernel, jdk, others);
    }

    /// Returns the versions of both; of a program that both have, this one's.
    private Map<String, String> versionsBefore(Environment other) {
        Map<String, String> both = new TreeMap<>(other.versions);
        both.putAll(versions);
        return both;
    }

    /// Returns this environment with the servers and versions of an older one, too.
    Environment joined(Environment older) {
        Map<String, String> all = versionsBefore(older);
        Set<String> names = new LinkedHashSet<>(names());
        names.addAll(older.names());
        Map<String, String> both = new TreeMap<>(settings);
        both.computeIfPresent(PEERS, (_, _) -> String.join(",", names));
        return new Environment(
                date, commit, kernel, cpuModel, cpus, memoryMegabytes, jdk, all, both);
    }

    private List<String> names() {
        String names = settings.getOrDefault(PEERS, "");
        return names.isEmpty() ? List.of() : List.of(names.split(","));
    }

    /// Returns this environment at another date.
    public Environment at(String other) {
        return new Environment(
                other, commit, kernel, cpuModel, cpus, memoryMegabytes, jdk, versions, settings);
    }

    /// Returns this environment with its commit and its settings.
    public Environment with(String otherCommit, Map<String, String> otherSettings) {
        return new Environment(
                date,
                otherCommit,
                kernel,
                cpuModel,
                cpus,
                memoryMegabytes,
                jdk,
                versions,
                otherSettings);
    }
}
