/// Implements `serval soak floods`: one client requests small files at a calm pace while another
/// floods the server.
///
/// Entry types: [dev.serval.soak.flood.FloodSoak] runs the floods against server processes, and
/// [dev.serval.soak.flood.Flood] lists them. Owner threads: the flood has one thread, the good
/// client another. Depends on `peer` and `report`.
@NullMarked
package dev.serval.soak.flood;

import org.jspecify.annotations.NullMarked;
