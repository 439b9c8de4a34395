package dev.serval.loop;

/// The parts of an event loop, besides its poller.
///
/// @param index its index among the server's loops, from 0
/// @param clock the source of its time
/// @param reports receives reports of faults
public record LoopParts(int index, Clock clock, Reports reports) {}
