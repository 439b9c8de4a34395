/// `serval soak floods`: one client asks for small files at a calm pace while another floods the
/// server.
///
/// Entry types: [dev.serval.bench.flood.FloodSoak] runs the cells against servers as processes,
/// [dev.serval.bench.flood.Flood] lists the floods. Owner threads: the flood has one thread, the good
/// client has another. Depends on `peer` and `report`.
@NullMarked
package dev.serval.bench.flood;

import org.jspecify.annotations.NullMarked;
