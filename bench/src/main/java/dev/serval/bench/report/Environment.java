package dev.serval.bench.report;

import java.util.Map;

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
