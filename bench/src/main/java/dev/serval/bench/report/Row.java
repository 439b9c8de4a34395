package dev.serval.bench.report;

import java.util.Map;

/// A row of the comparison of servers: one measure of one cell. The page for people in a hurry and
/// its picture come from rows.
///
/// @param values figures by the peer's name, in the order of the peers
public record Row(
        String cell, String measure, String unit, Better better, Map<String, Statistics> values) {
    /// The measure of the server's processor.
    static final String CPU = "CPU per request";

    static final String RATE = "requests per second";

    /// Which of two figures is the better one.
    public enum Better {
        LOWER,
        HIGHER
    }
}
