package dev.serval.bench.load;

import dev.serval.bench.peer.Site;

/// What a client is to do in a round.
///
/// @param load the cell
/// @param page the file it asks for
record Work(Cell.Load load, Site.Page page) {}
