package dev.serval.server;

import dev.serval.service.Predecessor;
import dev.serval.service.Upgrade;
import org.jspecify.annotations.Nullable;

/// The processes before and after this one. Immutable.
///
/// @param predecessor the process that this one takes over from; null for none
/// @param launching tells how a process like this one is started
record Succession(@Nullable Predecessor predecessor, Upgrade.Launching launching) {}
