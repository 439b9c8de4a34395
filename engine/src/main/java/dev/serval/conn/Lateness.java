package dev.serval.conn;

/// What a check of [ConnectionDeadlines] or [StreamDeadlines] has found.
enum Lateness {
    /// Nothing is late.
    NONE,
    /// The client reads our answers below the minimum rate, or not at all.
    READER,
    /// The client sends its content below the minimum rate, or not at all.
    CONTENT
}
