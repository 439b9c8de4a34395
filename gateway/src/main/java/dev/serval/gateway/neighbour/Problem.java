package dev.serval.gateway.neighbour;

/// One wrong setting of a neighbour. Immutable.
///
/// @param setting its name, as an option of the address has it, such as `queue-time`; `address` for
///     an address, and `weight`, `backup` and `route` for those of an address
/// @param index of the address, change or field, from 0, if there may be several; -1 otherwise
/// @param sentence what is wrong and what would be right
/// @param machine whether it is a problem of this machine only, such as for want of a folder
public record Problem(String setting, int index, String sentence, boolean machine) {}
