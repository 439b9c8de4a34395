package dev.serval.loop;

/// What an event loop is made with, besides its poller.
///
/// @param index its place among the server's loops, from 0
/// @param clock its time
/// @param reports hears of faults that are ours
public record LoopParts(int index, Clock clock, Reports reports) {}
