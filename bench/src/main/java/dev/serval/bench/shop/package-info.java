/// Implements the benchmark of the on-line shop: browsers that follow links and send forms, the
/// search for the most users that a server can have, and the shop's database.
///
/// Entry type: [dev.serval.bench.shop.ShopRun]. Owner thread: the thread of the run; one thread
/// drives all browsers on the loop of a [dev.serval.bench.client.LoadEngine]. The mixes and limits
/// follow the published rules of TPC-W. The chains are the project's own, so no result is one of
/// TPC-W. May depend on `client`, `load`, `peer`, `report` and `scenario`.
@NullMarked
package dev.serval.bench.shop;

import org.jspecify.annotations.NullMarked;
