package dev.serval.examples.osp.call;

import dev.serval.examples.osp.message.OspStatus;
import java.util.List;

/// What the table says for a prefix of called numbers: destinations, or a refusal. Immutable.
///
/// @param prefix digits; empty for every number
/// @param destinations in the order of the file; empty for a refusal
/// @param status success, or the status that refuses
public record Route(String prefix, List<Destination> destinations, OspStatus status) {}
