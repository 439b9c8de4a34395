package dev.serval.bench.report;

/// A server of a run, as a reader must know it.
///
/// @param java whether it is a server in Java
/// @param version empty if it is missing
/// @param configuration its command and its files
/// @param missing why it was not measured and what to do; empty if it was
public record PeerFacts(
        String name, boolean java, String version, String configuration, String missing) {}
