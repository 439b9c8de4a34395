package dev.serval.bench.report;

import java.util.Map;

/// Where and with what figures were made; without it they mean nothing.
///
/// @param date ISO 8601, UTC
/// @param commit of the working copy, `+changes` where it was not clean; `unknown` outside one
/// @param kernel of the operating system
/// @param cpuModel by the kernel's words
/// @param cpus which ones were used for what
/// @param memoryMegabytes of the machine
/// @param jdk that ran the suite and the subject
/// @param versions of peers and clients
/// @param settings of this run
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
