package dev.serval.bench.report;

/// A figure of an old paper, shown beside today's as a ratio.
///
/// @param where the table or figure of the paper
public record Published(String server, String measure, double value, String unit, String where) {}
