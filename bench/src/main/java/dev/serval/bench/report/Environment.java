package dev.serval.bench.report;

import java.util.Map;

/// The machine and the programs of a measurement. Without them its figures mean nothing.
///
/// @param date ISO 8601, UTC
/// @param commit of the working copy, with `+changes` if it was not clean; `unknown` outside of one
/// @param kernel release of the operating system's kernel
/// @param cpuModel as the kernel names it
/// @param cpus the CPUs of server and client
/// @param memoryMegabytes memory of the machine
/// @param jdk the JDK that ran the suite and the subject
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
