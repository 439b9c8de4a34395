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
        Map<String, String> settings) {}
