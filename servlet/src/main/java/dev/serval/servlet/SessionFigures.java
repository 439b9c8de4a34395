package dev.serval.servlet;

/// The sessions of an application. Immutable.
///
/// @param inMemory the sessions in memory now
/// @param stored the sessions in files now; 0 for a database, which other servers change
/// @param refused the sessions that could not be created because of a limit
/// @param endedEarly the sessions that ended because no client returned their id
/// @param lost the sessions, or the changes of one request, that were lost
/// @param failures the times that the files or the database could not be used
public record SessionFigures(
        int inMemory, int stored, long refused, long endedEarly, long lost, long failures) {}
