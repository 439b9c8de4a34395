package dev.serval.command;

import dev.serval.backend.LrwpChoice;

/// The checked options of `serval run`. Immutable.
///
/// @param served what is served, and where
/// @param engine how the engine runs
/// @param apps how web applications run
/// @param lrwp applications that dial in
/// @param demo whether a demo dials in
public record RunOptions(
        MountChoice served, EngineChoice engine, AppChoice apps, LrwpChoice lrwp, boolean demo) {}
